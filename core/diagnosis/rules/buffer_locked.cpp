#include "core/diagnosis/rules/buffer_locked.h"

namespace tcpscope::rules {

std::optional<Finding> bufferLocked(const DiagnosisInput& input, const Verdict& verdict) {
  if (!input.socket.bufferLocks) return std::nullopt;
  const bool sends = input.side == Side::sending;
  const bool locked = sends ? input.socket.bufferLocks->sendBuffer : input.socket.bufferLocks->receiveBuffer;
  if (!locked) return std::nullopt;
  const bool holdsBack = verdict.limit == (sends ? Limit::sendBuffer : Limit::receiver);
  // The kernel says that it is locked; whether that costs anything is as sure as the verdict.
  Finding finding{RuleId::bufferLocked,
                  holdsBack ? FindingSeverity::problem : FindingSeverity::note,
                  holdsBack ? verdict.confidenceRatio : 1.0,
                  {}};
  if (const auto& memory = input.socket.memory) {
    const Bytes size = sends ? memory->sendBuffer : memory->receiveBuffer;
    finding.evidence.push_back(
        {sends ? "send_buffer_bytes" : "receive_buffer_bytes", static_cast<double>(size.value()), std::nullopt, {}});
  }
  return finding;
}

}  // namespace tcpscope::rules
