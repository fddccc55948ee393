// How packets are captured at a place: by this process, or by another one where they do not pass this one or it may
// not: dumpcap, a host of the lab, another machine. What that captures comes as pcapng.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/packet_recorder.h"
#include "collectors/pcap/live_capture.h"
#include "collectors/system/child_process.h"
#include "core/base/moment.h"
#include "core/host/place.h"

namespace tcpscope {

class CapturingProcess {
public:
  CapturingProcess() = default;
  CapturingProcess(const CapturingProcess&) = delete;
  CapturingProcess& operator=(const CapturingProcess&) = delete;
  /// Ends it.
  virtual ~CapturingProcess() = default;

  /// The capture comes out of it.
  [[nodiscard]] virtual int descriptor() const = 0;
  /// The last packets follow, with the count of drops, and the end of the stream.
  virtual void requestEnd() = 0;
  /// Once the stream has ended without a packet: why.
  [[nodiscard]] virtual LiveCaptureError whyNothing() = 0;
};

using StartCapturing =
    std::function<Expected<std::unique_ptr<CapturingProcess>, LiveCaptureError>(const LiveCaptureSettings&)>;

/// By this program, which has the right to capture where it is installed for that.
StartCapturing throughDumpcap(std::string program);

/// Of packets that another machine captures: its wall clock at a moment of ours, where that is known.
struct OtherClock {
  std::optional<ClockPair> pair;
};

/// A test gives others.
struct CaptureMeans {
  using Open = std::function<Expected<std::unique_ptr<LiveCapture>, LiveCaptureError>(const LiveCaptureSettings&)>;

  /// Null where the packets do not pass this process.
  Open open = LiveCapture::open;
  /// Where this process may not capture, or they do not pass it; null for none.
  StartCapturing process = throughDumpcap("dumpcap");
  /// Absent where the packets' times are by this machine's clock.
  std::optional<OtherClock> otherClock;
  Bytes ring{std::uint64_t{32} << 20U};
  /// Where every packet goes as well, asked for with each; null or one that gives null for nowhere.
  std::function<std::shared_ptr<PacketRecorder>()> recorder;
  /// How those of a further network namespace of the place are captured, where they can be; null where none are.
  std::function<std::optional<CaptureMeans>(const Place&)> inNamespace;
};

/// By a program that writes a capture on its standard output, and its reason for failure on its standard error.
Expected<std::unique_ptr<CapturingProcess>, LiveCaptureError> startCapturing(ChildCommand command,
                                                                             std::string interface);

}  // namespace tcpscope
