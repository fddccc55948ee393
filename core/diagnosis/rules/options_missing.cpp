#include "core/diagnosis/rules/options_missing.h"

#include "core/diagnosis/bounds/window_bound.h"

namespace tcpscope::rules {

namespace {

constexpr double kSmallSegmentBytes = 1000.0;
/// Below this round trip 64 KiB a round trip is over 100 Mbit/s.
constexpr double kLongRoundTripSeconds = 0.005;

bool handshakeIsDone(TcpState state) {
  return state == TcpState::established || state == TcpState::finWait1 || state == TcpState::finWait2 ||
         state == TcpState::closeWait || state == TcpState::lastAck || state == TcpState::closing;
}

}  // namespace

std::optional<Finding> optionsMissing(const DiagnosisInput& input, const Verdict& /*verdict*/) {
  const SocketObservation& socket = input.socket;
  const auto options = socket.info.options();
  // Options belong to the connection: they are reported once, for the side that carries the bulk.
  if (!options || !handshakeIsDone(socket.state) || bulkSide(socket, input.window) != input.side) return std::nullopt;
  Finding finding{RuleId::optionsMissing, FindingSeverity::note, 1.0, {}};
  const auto add = [&finding](std::string_view key, bool matters) {
    finding.evidence.push_back({key, 0.0, std::nullopt, {}});
    if (matters) finding.severity = FindingSeverity::warning;
  };
  const bool longPath = boundRoundTripSeconds(input).value_or(0.0) >= kLongRoundTripSeconds;
  if (!options->windowScale()) add("window_scaling", longPath);
  if (!options->sack()) add("sack", input.window.retransmittedSegments > 0 || input.window.outOfOrderSegments > 0);
  if (!options->timestamps()) add("timestamps", false);
  const auto mss = socket.info.sndMss();
  const bool onLoopback = socket.remote.address.unmapped().isLoopback();
  if (input.side == Side::sending && mss && !onLoopback && static_cast<double>(mss->value()) < kSmallSegmentBytes) {
    finding.evidence.push_back({"snd_mss_bytes", static_cast<double>(mss->value()), kSmallSegmentBytes, {}});
    finding.severity = FindingSeverity::warning;
  }
  if (finding.evidence.empty()) return std::nullopt;
  return finding;
}

}  // namespace tcpscope::rules
