// A live capture of one connection's packets, on a thread of its own: by libpcap, or from another process where only
// that may, or where packets do not pass this one; analysed as they come, the newest kept for the graphs and for a
// file.
//
// Memory is bounded: the headers of the newest packets, and what the graphs keep of the same. The sink gets the state a
// few times a second, never for more than a tenth of the time. The destructor ends the capture and joins.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "app/session/capture_means.h"
#include "app/session/captured_stream.h"
#include "collectors/system/owned_descriptor.h"
#include "core/session/session_control.h"

namespace tcpscope {

class ConnectionCapture {
public:
  /// Called on the capture's thread; may wait for room until the stop.
  using Sink = std::function<void(CaptureObservation&&, const std::stop_token&)>;

  /// Fails where the system gives no descriptor or no thread; the sink learns whether packets can be captured.
  static Expected<std::unique_ptr<ConnectionCapture>, SystemError> start(const CaptureOrder& order, CaptureMeans means,
                                                                         Sink sink);
  ~ConnectionCapture();
  ConnectionCapture(const ConnectionCapture&) = delete;
  ConnectionCapture& operator=(const ConnectionCapture&) = delete;

  [[nodiscard]] std::uint32_t number() const { return m_number; }
  /// Call it with the newest request of this number: to end, to save.
  void want(const CaptureRequest& request);

private:
  ConnectionCapture(const CaptureOrder& order, CaptureMeans means, Sink sink, int wakeDescriptor);

  void run(const std::stop_token& stop);
  void capture(const std::stop_token& stop);
  void takeFrom(LiveCapture& capture, const std::stop_token& stop);
  /// Fails where that may not capture either.
  Expected<void, LiveCaptureError> takeFromProcess(const std::stop_token& stop);
  void take(const CapturedFrame& frame);
  void setCounts(const std::optional<LiveCaptureCounts>& counts);
  void fail(LiveCaptureError error);
  /// Publishes the state if that is due. False where the capture has to end.
  bool goOn(const std::stop_token& stop);
  void report(const std::stop_token& stop);
  /// Does what the newest request asks for beyond capturing.
  void applyRequest();
  void wake() const;
  [[nodiscard]] bool isEndWanted(const std::stop_token& stop);

  const std::uint32_t m_number;
  const CaptureMeans m_means;
  const Sink m_sink;
  /// Readable when there is a new request, or a stop.
  const OwnedDescriptor m_wake;

  std::mutex m_mutex;
  CaptureRequest m_request;

  // The thread's own from here on.
  const LiveCaptureSettings m_settings;
  const ClockPair m_ownClock;
  CapturedStream m_stream;
  Moment m_due;
  // Last: it stops and joins before what it works on goes.
  std::jthread m_thread;
};

}  // namespace tcpscope
