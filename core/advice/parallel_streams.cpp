#include "core/advice/parallel_streams.h"

#include <algorithm>
#include <cmath>

#include "core/advice/loss_alone.h"

namespace tcpscope::remedies {

std::optional<Remedy> parallelStreams(const AdviceInput& input) {
  // Without a target some are proposed to be measured; more than eight is what the experiments of the papers had to
  // have for small windows, and brings severe unfairness.
  constexpr double kUsual = 4.0;
  constexpr double kMost = 8.0;
  const auto bound = boundOfLossAlone(input);
  const auto& goodput = input.diagnosis.goodput;
  if (!bound || !goodput || goodput->value() <= 0.0) return std::nullopt;
  const auto& target = input.goal.targetRate;
  const double connections = target ? std::clamp(std::ceil(target->value() / goodput->value()), 1.0, kMost) : kUsual;
  if (connections < 2.0) return std::nullopt;
  BitsPerSecond rate(connections * goodput->value());
  if (target) rate = std::min(rate, *target);
  Remedy remedy;
  remedy.id = RemedyId::parallelStreams;
  remedy.place = RemedyPlace::program;
  remedy.reach = Reach::afterReconnect;
  remedy.changes = {
      {SettingKind::command, "connections of the program:", "1", std::to_string(static_cast<int>(connections))}};
  remedy.gain = {goodput, rate, GainReason::lossModel};
  remedy.evidence = {{"loss_event_ratio", *bound->lossEventRatio, std::nullopt, {}}};
  remedy.preconditions = {Precondition::takesTheShareOfAsMany};
  return remedy;
}

}  // namespace tcpscope::remedies
