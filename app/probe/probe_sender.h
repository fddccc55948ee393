// The end of a probe that sends: packets of one size at a constant rate, to a listener that counts them.
//
// On the calling thread. Each packet has its moment, whenever the one before it was sent: a host that was late once
// catches up, and the analysis sees that it was late.
#pragma once

#include <functional>

#include "app/probe/probe_control.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// After the last packet of a run: what is in flight then arrives within it, or never.
inline constexpr Nanoseconds kProbeLastArrivals = std::chrono::seconds(2);

/// Of the run: packets sent so far.
using ProbeProgress = std::function<void(const ProbeRunPlan& plan, std::uint32_t sent)>;

class ProbeSender {
public:
  /// Connects to a listener. `wakeDescriptor` as ProbeControl's.
  static Expected<ProbeSender, ProbeError> connect(const Endpoint& listener, int wakeDescriptor);

  /// One run, and what both ends know of it. An interruption is an error; what was sent until then is lost.
  Expected<ProbeRun, ProbeError> run(const ProbeRunPlan& plan, const ProbeProgress& progress = {});
  /// No run follows.
  void finish() { m_control.send(ProbeFarewell{}); }

private:
  ProbeSender(ProbeControl control, OwnedDescriptor packets)
      : m_control(std::move(control)), m_packets(std::move(packets)) {}

  Expected<void, ProbeError> send(const ProbeRunPlan& plan, std::uint64_t token, ProbeSent& sent,
                                  const ProbeProgress& progress);
  /// Takes what is sent back until then.
  Expected<void, ProbeError> listenUntil(Moment moment, std::uint64_t token, ProbeSent& sent);

  ProbeControl m_control;
  OwnedDescriptor m_packets;
};

}  // namespace tcpscope
