#include "core/session/connection_advice.h"

#include "core/diagnosis/evidence/packet_evidence.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

/// What the initiator receives is direction 1, which the responder sends.
std::optional<SideAdvice> ofCapture(const ConnectionAnalysis& analysis, const std::optional<SideDiagnosis>& side,
                                    const SysctlValues& settings, const AdviceGoal& goal) {
  if (!side) return std::nullopt;
  const std::size_t direction = side->side == Side::sending ? 0 : 1;
  ConnectionEvidence evidence = handshakeEvidence(analysis.flow, direction);
  evidence.side = side->side;
  if (const auto rtt = pathRtt(analysis.flow, direction)) evidence.rtt = std::chrono::duration_cast<Microseconds>(*rtt);
  return adviceFor({evidence, *side, settings, goal});
}

}  // namespace

ConnectionAdvice adviceFor(const ConnectionDetail& detail, const SysctlValues& settings, const AdviceGoal& goal) {
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  // A live connection whose packets are captured has its samples, too, and they say more.
  const bool isSampled = !detail.socket.info.empty();
  if (isSampled || detail.packets == nullptr) return adviceFor(detail.socket, detail.window, diagnosis, settings, goal);
  const ConnectionAnalysis& analysis = detail.packets->analysis;
  return {ofCapture(analysis, diagnosis.sending, settings, goal),
          ofCapture(analysis, diagnosis.receiving, settings, goal)};
}

}  // namespace tcpscope
