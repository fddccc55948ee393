// Requests to an agent as they come out of a pipe, for the collector that the agent runs: the newest of each kind
// counts. Also wakes the collector when the frames' reader has room again.
//
// The end of the requests, a stop or a reader that is gone ends the agent.
#pragma once

#include <stop_token>

#include "app/remote/frame_output.h"
#include "collectors/source/collector.h"
#include "collectors/system/owned_descriptor.h"
#include "collectors/trace/trace_reader.h"

namespace tcpscope {

class RequestStream final : public RequestSource {
public:
  /// Everything is the caller's and outlives this.
  RequestStream(int descriptor, FrameOutput& output, std::stop_source& stop, const CollectorRequest& first);

  /// 0, or errno where the descriptors cannot be waited for.
  [[nodiscard]] int errorNumber() const { return m_errorNumber; }
  [[nodiscard]] int wakeDescriptor() const override { return m_epoll.get(); }
  /// Reads what waits and writes what waits.
  CollectorRequest take() override;
  [[nodiscard]] const CollectorRequest& current() const { return m_request; }
  /// To be called when bytes began to wait or were all written.
  void watchOutput();

private:
  void readRequests();
  void accept(const TraceValue& value);

  int m_descriptor;
  FrameOutput& m_output;
  std::stop_source& m_stop;
  OwnedDescriptor m_epoll;
  TraceReader m_reader{PlaceId{0}};
  CollectorRequest m_request;
  bool m_watchesOutput = false;
  bool m_pollsOutput = true;
  int m_errorNumber = 0;
};

}  // namespace tcpscope
