#include "core/advice/receiver_elsewhere.h"

#include "core/advice/buffer_size.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope::remedies {

std::optional<Remedy> receiverElsewhere(const AdviceInput& input) {
  const Verdict& verdict = input.verdict();
  if (input.side() != Side::sending || verdict.limit != Limit::receiver) return std::nullopt;
  const auto options = input.socket.info.options();
  const bool scaleIsSmall = verdict.cause == Cause::windowScale && options && options->windowScale();
  if (verdict.cause != Cause::bufferLimit && !scaleIsSmall) return std::nullopt;
  // While a hole is repaired, the largest window fills up behind it.
  constexpr double kMostOfTheTime = 0.5;
  if (repairRatio(input.window) > kMostOfTheTime) return std::nullopt;
  // What is set there does not show here.
  const SysctlValues unknown;
  const auto wanted = wantedBuffer(input, kReceiveBuffer, std::nullopt);
  if (!wanted) return std::nullopt;
  Remedy remedy;
  remedy.id = RemedyId::receiverElsewhere;
  remedy.place = RemedyPlace::otherEnd;
  remedy.reach = kReachOfTunedReceiveBuffer;
  remedy.changes = {raisedLimit(unknown, kReceiveBuffer, *wanted)};
  remedy.gain = gainOfBuffer(input, *wanted);
  remedy.memoryPerConnection = wanted;
  remedy.preconditions = {Precondition::settingsUnknown};
  return remedy;
}

}  // namespace tcpscope::remedies
