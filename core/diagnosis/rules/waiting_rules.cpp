#include "core/diagnosis/evidence/left_open.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

namespace {

/// Retransmitted, and yet nothing has left the host: the link layer does not know where to send it (ARP, NDP).
bool neverLeft(const ConnectionEvidence& evidence) {
  return evidence.unansweredTries > Count(0) && evidence.totalRetransmissions == Segments(0);
}

}  // namespace

std::optional<Finding> unansweredOpening(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (verdict.limit != Limit::opening || verdict.cause == Cause::unknown) return std::nullopt;
  Finding finding{RuleId::unansweredOpening, FindingSeverity::problem, verdict.confidenceRatio, verdict.evidence};
  const bool isPassive = evidence.state != TcpState::synSent;
  if (evidence.peerRefused == true) {
    finding.evidence.push_back({"refused", 1.0, std::nullopt, {}});
    return finding;
  }
  finding.evidence.push_back({"passive_end", isPassive ? 1.0 : 0.0, std::nullopt, {}});
  if (!isPassive) finding.evidence.push_back({"never_left", neverLeft(evidence) ? 1.0 : 0.0, std::nullopt, {}});
  return finding;
}

std::optional<Finding> stalled(const ConnectionEvidence& /*evidence*/, const Verdict& verdict) {
  if (verdict.limit != Limit::stalled) return std::nullopt;
  Finding finding{RuleId::stalled, FindingSeverity::problem, verdict.confidenceRatio, verdict.evidence};
  const bool doesNotRead = verdict.cause == Cause::slowReader;
  if (doesNotRead) finding.evidence.push_back({"peer_window_bytes", 0.0, std::nullopt, {}});
  return finding;
}

std::optional<Finding> leftOpen(const ConnectionEvidence& evidence, const Verdict& /*verdict*/) {
  if (evidence.side != Side::sending || !isLeftOpen(evidence)) return std::nullopt;
  const bool peerClosed = evidence.state == TcpState::closeWait;
  // A program may close its side alone on purpose; one that ignores the peer's end leaks descriptors.
  Finding finding{RuleId::leftOpen, peerClosed ? FindingSeverity::problem : FindingSeverity::warning, 0.95, {}};
  finding.evidence.push_back({"closed_by_peer", peerClosed ? 1.0 : 0.0, std::nullopt, {}});
  finding.evidence.push_back({"silent_s", toSeconds(*evidence.sinceLastAck), std::nullopt, {}});
  return finding;
}

}  // namespace tcpscope::rules
