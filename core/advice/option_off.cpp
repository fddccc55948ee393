#include "core/advice/option_off.h"

namespace tcpscope {

Remedy switchOptionOn(const AdviceInput& input, RemedyId id, std::string_view key) {
  const auto now = input.settings.number(key);
  Remedy remedy;
  remedy.id = id;
  remedy.place = RemedyPlace::eitherEnd;
  if (now) remedy.place = *now == 0 ? RemedyPlace::here : RemedyPlace::otherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, key, std::nullopt, "1"}};
  if (remedy.place == RemedyPlace::here) remedy.changes.front().now = std::to_string(*now);
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  return remedy;
}

}  // namespace tcpscope
