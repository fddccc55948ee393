#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/rules/rules.h"

namespace tcpscope::rules {

namespace {

constexpr double kSmallSegmentBytes = 1000.0;
/// Below this RTT a window of 64 KiB carries over 100 Mbit/s.
constexpr double kLongRttSeconds = 0.005;

bool handshakeIsDone(TcpState state) {
  return state == TcpState::established || state == TcpState::finWait1 || state == TcpState::finWait2 ||
         state == TcpState::closeWait || state == TcpState::lastAck || state == TcpState::closing;
}

}  // namespace

std::optional<Finding> optionsMissing(const ConnectionEvidence& evidence, const Verdict& /*verdict*/) {
  const auto& options = evidence.options;
  // Options belong to the connection: they are reported once, for the side that carries the bulk.
  if (!options || !handshakeIsDone(evidence.state) || !evidence.carriesBulk) return std::nullopt;
  Finding finding{RuleId::optionsMissing, FindingSeverity::note, 1.0, {}};
  const auto add = [&finding](std::string_view key, bool matters) {
    finding.evidence.push_back({key, 0.0, std::nullopt, {}});
    if (matters) finding.severity = FindingSeverity::warning;
  };
  const auto seconds = boundRttSeconds(evidence);
  if (!options->windowScale) add("window_scaling", seconds && *seconds >= kLongRttSeconds);
  if (!options->sack) add("sack", evidence.retransmittedSegments > 0U || evidence.outOfOrderSegments > 0U);
  if (!options->timestamps) add("timestamps", false);
  const auto& mss = evidence.mss;
  const bool sends = evidence.side == Side::sending;
  if (sends && mss && !evidence.isLoopback && static_cast<double>(mss->value()) < kSmallSegmentBytes) {
    finding.evidence.push_back({"snd_mss_bytes", static_cast<double>(mss->value()), kSmallSegmentBytes, {}});
    finding.severity = FindingSeverity::warning;
  }
  if (finding.evidence.empty()) return std::nullopt;
  return finding;
}

std::optional<Finding> smallSegments(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (evidence.side != Side::sending || evidence.isLoopback || evidence.bytes.value_or(0) == 0) return std::nullopt;
  if (!segmentsAreFarBelowPathMtu(evidence)) return std::nullopt;
  // What a loss costs counts in segments.
  const bool lossSetsTheRate = verdict.cause == Cause::loss || verdict.cause == Cause::policer;
  return Finding{RuleId::smallSegments,
                 lossSetsTheRate ? FindingSeverity::problem : FindingSeverity::warning,
                 0.95,
                 {{"snd_mss_bytes", static_cast<double>(evidence.mss->value()),
                   static_cast<double>(evidence.pathMtu->value()), "pmtu_bytes"}}};
}

}  // namespace tcpscope::rules
