#include "core/diagnosis/evidence/finding.h"

#include <algorithm>
#include <array>

namespace tcpscope {

std::string_view name(Side side) {
  return side == Side::sending ? "sending" : "receiving";
}

std::string_view name(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::note:
      return "note";
    case FindingSeverity::warning:
      return "warning";
    case FindingSeverity::problem:
      break;
  }
  return "problem";
}

std::string_view name(NextLimitMethod method) {
  return method == NextLimitMethod::bound ? "bound" : "ack_dispersion";
}

std::string_view name(RuleId rule) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(RuleId::count) + 1> kNames = {
      "receiver_window_too_small",
      "window_scale_caps_window",
      "send_buffer_too_small",
      "network_loss",
      "queueing",
      "return_path_queue",
      "congestion_window",
      "pacing_limit",
      "application_too_slow",
      "receiving_application_too_slow",
      "receive_buffer_too_small",
      "buffer_locked",
      "options_missing",
      "timeouts",
      "reordering",
      "ecn_marks",
      "small_segments",
      "slow_start",
      "idle_restart",
      "unanswered_opening",
      "slow_opening",
      "stalled",
      "small_writes",
      "application_window",
      "left_open",
      "busy_with_packets",
      "accept_queue_overflow",
      "unknown"};
  static_assert(!kNames.back().empty(), "one name a rule");
  return kNames[static_cast<std::size_t>(rule)];
}

std::optional<RuleId> ruleNamed(std::string_view text) {
  for (std::size_t number = 0; number < static_cast<std::size_t>(RuleId::count); ++number) {
    if (name(static_cast<RuleId>(number)) == text) return static_cast<RuleId>(number);
  }
  return std::nullopt;
}

const Evidence* figureOf(const std::vector<Evidence>& evidence, std::string_view key) {
  const auto found =
      std::find_if(evidence.begin(), evidence.end(), [key](const Evidence& one) { return one.key == key; });
  return found == evidence.end() ? nullptr : &*found;
}

}  // namespace tcpscope
