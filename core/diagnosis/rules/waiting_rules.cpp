#include "core/diagnosis/evidence/left_open.h"
#include "core/diagnosis/evidence/retry_schedule.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

namespace {

/// Retransmitted, and yet nothing has left the host: the link layer does not know where to send it (ARP, NDP).
bool neverLeft(const ConnectionEvidence& evidence) {
  return evidence.unansweredTries > Count(0) && evidence.totalRetransmissions == Segments(0);
}

/// How long the peer had been silent when the first of the unanswered segments was sent, where a firewall or NAT may
/// have forgotten the connection by then: the shortest timeouts in use are of four minutes (load balancers of clouds).
std::optional<Nanoseconds> idleBefore(const ConnectionEvidence& evidence) {
  constexpr Nanoseconds kForgotten = std::chrono::minutes(4);
  const auto tried = sinceFirstTry(evidence);
  if (!tried || !evidence.sinceLastAck) return std::nullopt;
  const Nanoseconds idle = Nanoseconds(*evidence.sinceLastAck) - *tried;
  return idle >= kForgotten ? std::optional(idle) : std::nullopt;
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

std::optional<Finding> slowOpening(const ConnectionEvidence& evidence, const Verdict& /*verdict*/) {
  // A first retransmission comes after 1 s (RFC 6298 §2); shorter timeouts cost a program little.
  constexpr Microseconds kSlow = Milliseconds(500);
  const auto& opening = evidence.opening;
  if (!opening || opening->connectTime < kSlow) return std::nullopt;
  if (opening->syns <= Count(1) && opening->synAcks <= Count(1)) return std::nullopt;
  Finding finding{RuleId::slowOpening, FindingSeverity::warning, 0.9, {}};
  const auto add = [&](std::string_view key, double value) {
    finding.evidence.push_back({key, value, std::nullopt, {}});
  };
  add("connect_s", toSeconds(opening->connectTime));
  add("syns_sent", static_cast<double>(opening->syns.value()));
  add("syn_acks_sent", static_cast<double>(opening->synAcks.value()));
  const bool sawThemArrive = evidence.vantage == Vantage::receiver;
  if (sawThemArrive && opening->synAcks < opening->syns) {
    add("unanswered_syns", static_cast<double>((opening->syns - opening->synAcks).value()));
  }
  return finding;
}

std::optional<Finding> stalled(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (verdict.limit != Limit::stalled) return std::nullopt;
  Finding finding{RuleId::stalled, FindingSeverity::problem, verdict.confidenceRatio, verdict.evidence};
  const bool doesNotRead = verdict.cause == Cause::slowReader;
  if (doesNotRead) finding.evidence.push_back({"peer_window_bytes", 0.0, std::nullopt, {}});
  const auto idle = doesNotRead ? std::nullopt : idleBefore(evidence);
  if (idle) finding.evidence.push_back({"idle_before_s", toSeconds(*idle), std::nullopt, {}});
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
