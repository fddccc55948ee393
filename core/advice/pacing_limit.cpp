#include "core/advice/pacing_limit.h"

#include <cmath>

namespace tcpscope::remedies {

std::optional<Remedy> pacingLimit(const AdviceInput& input) {
  const auto limit = input.socket.info.maxPacingRate();
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
  remedy.gain = {input.diagnosis.goodput, target, target ? GainReason::targetRate : GainReason::pathDecides};
  remedy.preconditions = {Precondition::bothEndsNeedRoom};
  return remedy;
}

}  // namespace tcpscope::remedies
