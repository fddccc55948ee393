#include <algorithm>

#include "core/advice/remedies.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/evidence/slow_start.h"

namespace tcpscope::remedies {

namespace {

/// Segments of a transfer that slow start limits; nothing for others.
std::optional<double> limitedBySlowStart(const AdviceInput& input) {
  if (input.side() != Side::sending || input.verdict().cause != Cause::slowStart) return std::nullopt;
  return transferredSegments(input.evidence);
}

ExpectedGain savedRtts(const AdviceInput& input, double rtts) {
  ExpectedGain gain{input.diagnosis.goodput, std::nullopt, GainReason::fewerRtts};
  gain.savesRtts = rtts;
  if (const auto seconds = targetRttOfPath(input)) gain.savesSeconds = rtts * *seconds;
  return gain;
}

}  // namespace

std::optional<Remedy> initialWindow(const AdviceInput& input) {
  const auto segments = limitedBySlowStart(input);
  if (!segments) return std::nullopt;
  const double saved = slowStartRtts(*segments, kInitialWindow) - slowStartRtts(*segments, kLargerInitialWindow);
  if (saved < 1.0) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::initialWindow;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::command, "sudo ip route change ROUTE initcwnd",
                     std::to_string(kInitialWindow.value()), std::to_string(kLargerInitialWindow.value())}};
  remedy.gain = savedRtts(input, saved);
  remedy.preconditions = {Precondition::queuesHaveToHoldTheBurst};
  return remedy;
}

std::optional<Remedy> connectionReuse(const AdviceInput& input) {
  const auto segments = limitedBySlowStart(input);
  if (!segments) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::connectionReuse;
  remedy.place = RemedyPlace::program;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::command, "connections of the program:", "one a transfer", "one for all of them"}};
  // The handshake, and all RTTs of the data but one.
  remedy.gain = savedRtts(input, slowStartRtts(*segments, kInitialWindow));
  return remedy;
}

std::optional<Remedy> idleRestart(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_slow_start_after_idle";
  const auto saved = idleRestartRtts(input.evidence);
  const auto now = input.settings.number(kKey);
  if (input.side() != Side::sending || !saved || now == 0U) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::idleRestart;
  remedy.changes = {{SettingKind::sysctl, kKey, now ? std::optional(std::to_string(*now)) : std::nullopt, "0"}};
  remedy.gain = savedRtts(input, *saved);
  remedy.evidence = {{"congestion_window_bytes", *input.evidence.congestionWindowBytes.largest(),
                      *input.evidence.congestionWindowBytes.smallest(), "restart_window_bytes"}};
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::queuesHaveToHoldTheBurst);
  return remedy;
}

}  // namespace tcpscope::remedies
