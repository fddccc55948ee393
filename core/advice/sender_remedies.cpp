#include <cmath>

#include "core/advice/buffer_size.h"
#include "core/advice/remedies.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope::remedies {

std::optional<Remedy> pacingLimit(const AdviceInput& input) {
  const auto& limit = input.evidence.maxPacingRate;
  const bool holds = input.verdict().cause == Cause::pacing && limit && !limit->isUnlimited();
  if (input.side() != Side::sending || !holds) return std::nullopt;
  const auto bytesPerSecond = [](BitsPerSecond rate) {
    return std::to_string(static_cast<std::uint64_t>(std::llround(rate.value() / kBitsPerByte)));
  };
  const auto& target = input.goal.targetRate;
  // A limit that lets the target through is none to be raised.
  if (target && *target <= *limit) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::pacingLimit;
  remedy.place = RemedyPlace::program;
  remedy.changes = {{SettingKind::socketOption, "SO_MAX_PACING_RATE", bytesPerSecond(*limit),
                     target ? bytesPerSecond(*target) : std::string("unset")}};
  remedy.gain = gainWithoutLimit(input);
  remedy.preconditions = {Precondition::bothEndsNeedRoom};
  return remedy;
}

std::optional<Remedy> mtuBlackHole(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_mtu_probing";
  const auto now = input.settings.number(kKey);
  if (input.side() != Side::sending || input.verdict().cause != Cause::mtu || now.value_or(0) != 0) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::mtuBlackHole;
  remedy.changes = {{SettingKind::sysctl, kKey, std::nullopt, "1"}};
  if (now) remedy.changes.front().now = std::to_string(*now);
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.gain = gainWithoutLimit(input);
  return remedy;
}

namespace {

constexpr std::string_view kUnsentSetting = "net.ipv4.tcp_notsent_lowat";
/// Enough for a sender to stay busy while the program wakes up: two packets as large as the kernel makes them.
constexpr Bytes kUnsentTarget{131'072};

}  // namespace

std::optional<Remedy> unsentData(const AdviceInput& input) {
  if (input.side() != Side::sending) return std::nullopt;
  const auto waiting = input.evidence.notSentBytes.mean();
  const auto& goodput = input.diagnosis.goodput;
  const auto wanted = static_cast<double>(kUnsentTarget.value());
  // The program writes as soon as half of it is sent: below twice of it nothing is gained for sure.
  if (!waiting || *waiting < 2.0 * wanted || !goodput || goodput->value() <= 0.0) return std::nullopt;
  const auto setting = input.settings.number(kUnsentSetting);
  if (setting && *setting <= kUnsentTarget.value()) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::unsentData;
  remedy.changes = {{SettingKind::sysctl, kUnsentSetting,
                     setting ? std::optional(std::to_string(*setting)) : std::nullopt,
                     std::to_string(kUnsentTarget.value())}};
  remedy.gain.why = GainReason::waitsLess;
  remedy.gain.waitsLessSeconds = (*waiting - wanted) * kBitsPerByte / goodput->value();
  remedy.evidence = {{"not_sent_mean_bytes", *waiting, std::nullopt, {}}};
  if (!setting) remedy.preconditions.push_back(Precondition::settingsUnknown);
  return remedy;
}

std::optional<Remedy> rememberedThreshold(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_no_ssthresh_metrics_save";
  constexpr std::uint64_t kLowWindowOfHyStart = 16;
  const ConnectionEvidence& evidence = input.evidence;
  const auto& threshold = evidence.slowStartThreshold;
  const auto& window = evidence.congestionWindow;
  if (input.side() != Side::sending || input.settings.number(kKey) != 0U || !threshold || !window) return std::nullopt;
  const bool isUndisturbed = evidence.caState == CaState::open && evidence.totalRetransmissions == Segments(0) &&
                             !(evidence.totalCeMarks > Segments(0));
  const std::string_view control = input.evidence.congestionControlName();
  const bool isRemembered =
      slowsDownForLoss(control) && (control != "cubic" || threshold->value() < kLowWindowOfHyStart);
  const bool holds = input.verdict().limit == Limit::network && *window >= *threshold;
  if (!isUndisturbed || !isRemembered || !holds) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::rememberedThreshold;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, kKey, "0", "1"}};
  remedy.gain.from = input.diagnosis.goodput;
  remedy.evidence = {{"snd_ssthresh_segments", static_cast<double>(threshold->value()), std::nullopt, {}},
                     {"snd_cwnd_segments", static_cast<double>(window->value()), std::nullopt, {}}};
  return remedy;
}

std::optional<Remedy> congestionWindowClamp(const AdviceInput& input) {
  const auto& window = input.evidence.congestionWindow;
  if (input.side() != Side::sending || input.verdict().cause != Cause::cwndClamp || !window) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::congestionWindowClamp;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::command, "sudo ip route change",
                     "cwnd " + std::to_string(window->value()) + " lock, if it is a route's",
                     "ROUTE (all of it but 'cwnd' and 'lock')"},
                    {SettingKind::command, "sudo ip tcp_metrics flush", std::nullopt, "all"}};
  remedy.gain = gainWithoutLimit(input);
  remedy.evidence = {{"snd_cwnd_segments", static_cast<double>(window->value()), std::nullopt, {}}};
  remedy.preconditions = {Precondition::metricsHaveToBeFlushed};
  return remedy;
}

}  // namespace tcpscope::remedies
