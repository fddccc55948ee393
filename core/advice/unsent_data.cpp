#include "core/advice/unsent_data.h"

namespace tcpscope::remedies {

namespace {

constexpr std::string_view kSetting = "net.ipv4.tcp_notsent_lowat";
/// Enough for a sender to stay busy while the program wakes up: two packets as large as the kernel makes them.
constexpr Bytes kWanted{131'072};

}  // namespace

std::optional<Remedy> unsentData(const AdviceInput& input) {
  if (input.side() != Side::sending) return std::nullopt;
  const auto waiting = input.window.notSentBytes.mean();
  const auto& goodput = input.diagnosis.goodput;
  const auto wanted = static_cast<double>(kWanted.value());
  // The program writes as soon as half of it is sent: below twice of it nothing is gained for sure.
  if (!waiting || *waiting < 2.0 * wanted || !goodput || goodput->value() <= 0.0) return std::nullopt;
  const auto setting = input.settings.number(kSetting);
  if (setting && *setting <= kWanted.value()) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::unsentData;
  remedy.changes = {{SettingKind::sysctl, kSetting, setting ? std::optional(std::to_string(*setting)) : std::nullopt,
                     std::to_string(kWanted.value())}};
  remedy.gain.why = GainReason::waitsLess;
  remedy.gain.waitsLessSeconds = (*waiting - wanted) * kBitsPerByte / goodput->value();
  remedy.evidence = {{"not_sent_mean_bytes", *waiting, std::nullopt, {}}};
  if (!setting) remedy.preconditions.push_back(Precondition::settingsUnknown);
  return remedy;
}

}  // namespace tcpscope::remedies
