#include "core/advice/remedies/window_scaling_off.h"

#include "core/advice/buffer_size.h"

namespace tcpscope::remedies {

std::optional<Remedy> windowScalingOff(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_window_scaling";
  const Verdict& verdict = input.verdict();
  const auto options = input.socket.info.options();
  const bool isMissing = options && !options->windowScale();
  if (verdict.limit != Limit::receiver || verdict.cause != Cause::windowScale || !isMissing) return std::nullopt;
  const auto now = input.settings.number(kKey);
  Remedy remedy;
  remedy.id = RemedyId::windowScalingOff;
  // An end that has it on offered it: the other one did not.
  remedy.place = now.value_or(0) == 0 ? RemedyPlace::here : RemedyPlace::otherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, kKey, std::nullopt, "1"}};
  if (now && remedy.place == RemedyPlace::here) remedy.changes.front().now = std::to_string(*now);
  const auto sizes = input.settings.three(kReceiveBuffer.key);
  const bool isHere = input.side() == Side::receiving && sizes.has_value();
  remedy.gain = gainOfBuffer(input, Bytes(isHere ? (*sizes)[2] : kReceiveBuffer.kernelDefault[2]));
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::bothEndsNeedRoom);
  return remedy;
}

}  // namespace tcpscope::remedies
