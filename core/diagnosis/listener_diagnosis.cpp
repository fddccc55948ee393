#include "core/diagnosis/connection_diagnosis.h"

namespace tcpscope {

std::vector<Finding> diagnoseListener(const SocketObservation& listener) {
  const std::uint64_t waiting = listener.receiveQueue.value();
  const std::uint64_t allowed = listener.sendQueue.value();
  // The kernel takes a new connection as long as the queue is not longer than allowed (sk_acceptq_is_full): it
  // overflows at one more than the backlog. At four fifths the next burst will do it.
  const bool full = allowed > 0 && waiting > allowed;
  const bool nearlyFull = allowed > 0 && waiting * 5 >= allowed * 4;
  if (!full && !nearlyFull) return {};
  Finding finding;
  finding.rule = RuleId::acceptQueueOverflow;
  finding.severity = full ? FindingSeverity::problem : FindingSeverity::warning;
  finding.confidenceRatio = full ? 1.0 : 0.8;
  finding.evidence.push_back(
      {"accept_queue", static_cast<double>(waiting), static_cast<double>(allowed), "accept_backlog"});
  return {finding};
}

}  // namespace tcpscope
