#include "core/advice/random_loss.h"

#include "core/advice/loss_alone.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::remedies {

namespace {

constexpr std::string_view kSetting = "net.ipv4.tcp_congestion_control";
constexpr std::string_view kWanted = "bbr";

}  // namespace

std::optional<Remedy> randomLoss(const AdviceInput& input) {
  const std::string_view control = input.socket.congestionControl.text();
  if (!mathisAppliesTo(control) || !losesWithoutAQueue(input)) return std::nullopt;
  const auto lost = lossRatio(input.window);
  // What BBR tolerates (see core/diagnosis/sending_cause): beyond it every control starves.
  constexpr double kTolerated = 0.2;
  if (!lost || *lost > kTolerated) return std::nullopt;
  const auto setting = input.settings.text(kSetting);
  const bool programChoseIt = setting && *setting != control;
  Remedy remedy;
  remedy.id = RemedyId::randomLoss;
  remedy.place = programChoseIt ? RemedyPlace::program : RemedyPlace::here;
  remedy.reach = programChoseIt ? Reach::live : Reach::afterReconnect;
  if (programChoseIt) {
    remedy.changes = {{SettingKind::socketOption, "TCP_CONGESTION", std::string(control), std::string(kWanted)}};
  } else {
    const auto now = setting ? std::optional(std::string(*setting)) : std::nullopt;
    remedy.changes = {{SettingKind::sysctl, kSetting, now, std::string(kWanted)}};
  }
  remedy.gain.from = input.diagnosis.goodput;
  if (const auto& target = input.goal.targetRate) {
    remedy.gain.to = BitsPerSecond(target->value() * (1.0 - *lost));
    remedy.gain.why = GainReason::targetRate;
  }
  // Who chose the control of today is not known then, either.
  if (!setting) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::othersSlowDownForLoss);
  // BBR paces what it sends.
  remedy.preconditions.push_back(Precondition::pacedMeetMoreLosses);
  return remedy;
}

}  // namespace tcpscope::remedies
