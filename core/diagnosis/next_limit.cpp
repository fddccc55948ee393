#include "core/diagnosis/next_limit.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "core/diagnosis/limits/socket_state.h"

namespace tcpscope {

namespace {

bool windowIsNearItsScale(const ConnectionEvidence& evidence) {
  constexpr double kNear = 0.25;
  const auto largest = evidence.receiveWindowBytes.largest();
  return evidence.windowScale && largest && *largest >= kNear * windowCeilingBytes(*evidence.windowScale);
}

/// The limit is the path's capacity itself, or others have the rest of it.
bool pathIsFull(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const bool isPath = verdict.limit == Limit::network || verdict.limit == Limit::recovery;
  return isPath && !queueIsOnReturnPath(evidence) &&
         (verdict.cause == Cause::pathFull || verdict.cause == Cause::queue || verdict.cause == Cause::policer ||
          verdict.cause == Cause::ecn);
}

/// The lowest of what the ends have set for good, other than the limit of the verdict.
std::optional<BitsPerSecond> lastingBound(const ConnectionEvidence& evidence, Limit held) {
  if (evidence.side != Side::sending) return std::nullopt;
  if (held != Limit::receiver && held != Limit::sendBuffer && held != Limit::application) return std::nullopt;
  std::optional<BitsPerSecond> least;
  const auto take = [&least](const Bound& bound) {
    if (bound.applies && bound.rate) least = least ? std::min(*least, *bound.rate) : *bound.rate;
  };
  take(pacingBound(evidence));
  // Far above every path, as a rule: worth naming only where the window is near it. A receiver with a larger buffer
  // offers a larger scale.
  if (held != Limit::receiver && windowIsNearItsScale(evidence)) take(windowScaleBound(evidence));
  if (held != Limit::sendBuffer && evidence.hasLockedBuffer()) take(sendBufferBound(evidence));
  return least;
}

}  // namespace

std::optional<NextLimit> nextLimit(const ConnectionEvidence& evidence, const Verdict& verdict) {
  if (!verdict.goodput || verdict.limit == Limit::idle || pathIsFull(evidence, verdict)) return std::nullopt;
  std::optional<NextLimit> least = evidence.pathCapacity;
  const auto bound = lastingBound(evidence, verdict.limit);
  if (bound && (!least || *bound < least->rate)) least = NextLimit{*bound, NextLimitMethod::bound, {}, {}};
  constexpr double kClearlyMore = 1.15;
  if (!least || least->rate.value() < kClearlyMore * verdict.goodput->value()) return std::nullopt;
  return least;
}

}  // namespace tcpscope
