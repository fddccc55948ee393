#include "core/advice/mtu_black_hole.h"

namespace tcpscope::remedies {

std::optional<Remedy> mtuBlackHole(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_mtu_probing";
  const auto now = input.settings.number(kKey);
  if (input.side() != Side::sending || input.verdict().cause != Cause::mtu || now.value_or(0) != 0) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::mtuBlackHole;
  remedy.changes = {{SettingKind::sysctl, kKey, std::nullopt, "1"}};
  if (now) remedy.changes.front().now = std::to_string(*now);
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.gain.from = input.diagnosis.goodput;
  return remedy;
}

}  // namespace tcpscope::remedies
