#include "core/diagnosis/rules/window_scale_caps_window.h"

#include "core/diagnosis/limits/socket_signs.h"

namespace tcpscope::rules {

std::optional<Finding> windowScaleCapsWindow(const DiagnosisInput& input, const Verdict& verdict) {
  const bool sends = input.side == Side::sending;
  const auto shift = sends ? input.socket.info.sndWscale() : input.socket.info.rcvWscale();
  const auto largest = (sends ? input.window.peerWindowBytes : input.window.advertisedWindowBytes).largest();
  if (!shift || !largest) return std::nullopt;
  const double ceiling = windowCeilingBytes(*shift);
  constexpr double kAtCeiling = 0.95;
  if (*largest < kAtCeiling * ceiling) return std::nullopt;
  const bool holdsBack = verdict.limit == Limit::receiver;
  return Finding{
      RuleId::windowScaleCapsWindow,
      holdsBack ? FindingSeverity::problem : FindingSeverity::note,
      holdsBack ? verdict.confidenceRatio : 1.0,
      {{sends ? "peer_window_largest_bytes" : "own_window_largest_bytes", *largest, ceiling, "window_ceiling_bytes"},
       {"window_scale", static_cast<double>(shift->value()), std::nullopt, {}}}};
}

}  // namespace tcpscope::rules
