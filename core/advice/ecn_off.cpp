#include "core/advice/ecn_off.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::remedies {

std::optional<Remedy> ecnOff(const AdviceInput& input) {
  constexpr std::string_view kKey = "net.ipv4.tcp_ecn";
  // An overflow now and then is how a sender finds out that the path is full, and costs little.
  constexpr double kFelt = 0.1;
  const auto options = input.socket.info.options();
  const auto trip = roundTrip(input.socket, input.window);
  const bool overflows =
      trip && pathHasQueue(*trip) && neededRetransmissions(input.window) > 0 && repairRatio(input.window) >= kFelt;
  const Cause cause = input.verdict().cause;
  const bool isOfThePath = cause == Cause::pathFull || cause == Cause::queue || cause == Cause::loss;
  if (input.side() != Side::sending || !isOfThePath || !overflows || !options || options->ecn()) return std::nullopt;
  const auto now = input.settings.number(kKey);
  // It asks already: the other end, or something on the way, does not want it.
  if (now && *now != 0 && *now != 2) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::ecnOff;
  remedy.place = now ? RemedyPlace::here : RemedyPlace::eitherEnd;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {{SettingKind::sysctl, kKey, now ? std::optional(std::to_string(*now)) : std::nullopt, "1"}};
  remedy.gain.from = input.diagnosis.goodput;
  if (!now) remedy.preconditions.push_back(Precondition::settingsUnknown);
  remedy.preconditions.push_back(Precondition::queuesHaveToMark);
  remedy.preconditions.push_back(Precondition::openingEndHasToAsk);
  return remedy;
}

}  // namespace tcpscope::remedies
