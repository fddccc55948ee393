#include "core/advice/loss_alone.h"

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

bool losesWithoutAQueue(const AdviceInput& input) {
  const auto trip = roundTrip(input.socket, input.window);
  return input.side() == Side::sending && input.verdict().cause == Cause::loss && trip && !pathHasQueue(*trip);
}

namespace {

/// A short queue that overflows shows less than one that is called a queue.
bool mayComeFromAShortQueue(const AdviceInput& input) {
  constexpr double kSomeQueue = 1.12;
  const auto trip = roundTrip(input.socket, input.window);
  return queueFillsBeforeLoss(input.window) || (trip && trip->inflation() >= kSomeQueue);
}

}  // namespace

std::optional<Bound> boundOfLossAlone(const AdviceInput& input) {
  if (!losesWithoutAQueue(input) || mayComeFromAShortQueue(input)) return std::nullopt;
  std::optional<Bound> lowest;
  for (const Bound& bound : input.diagnosis.bounds) {
    const bool isOfLoss = bound.applies && bound.rate && bound.lossEventRatio;
    if (isOfLoss && (!lowest || *bound.rate < *lowest->rate)) lowest = bound;
  }
  return lowest;
}

}  // namespace tcpscope
