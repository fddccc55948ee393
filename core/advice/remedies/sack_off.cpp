#include "core/advice/remedies/sack_off.h"

namespace tcpscope::remedies {

std::optional<Remedy> sackOff(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_sack";
  const Verdict& verdict = input.verdict();
  const auto options = input.socket.info.options();
  const bool losesPackets = verdict.cause == Cause::loss || verdict.cause == Cause::policer;
  if (input.side() != Side::sending || !losesPackets || !options || options->sack()) return std::nullopt;
  const auto now = input.settings.number(kKey);
  Remedy remedy;
  remedy.id = RemedyId::sackOff;
  // An end that has it on offered it: the other one did not.
  remedy.place = now.value_or(0) == 0 ? RemedyPlace::here : RemedyPlace::otherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, kKey, std::nullopt, "1"}};
  if (now && remedy.place == RemedyPlace::here) remedy.changes.front().now = std::to_string(*now);
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  // How much faster repair is, depends on how losses cluster.
  remedy.gain.from = input.diagnosis.goodput;
  return remedy;
}

}  // namespace tcpscope::remedies
