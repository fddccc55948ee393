#include "core/session/transfer_stretch.h"

#include <cmath>

#include "core/base/correlated_series.h"
#include "core/model/counted_rate.h"
#include "core/model/downsample.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kStep = std::chrono::milliseconds(250);
/// A block is at least a second, in which a delayed acknowledgment or a stalled look count for little.
constexpr std::size_t kFewestSteps = 4;

}  // namespace

std::vector<double> goodputBlocks(const ConnectionHistory& history, Side side, Moment from, Moment to) {
  const Metric bytes = side == Side::sending ? Metric::bytesAcked : Metric::bytesReceived;
  return independentMeans(bitRateSteps(history, bytes, from, to, kStep), kFewestSteps);
}

std::optional<Microseconds> smallestRtt(const ConnectionHistory& history, Moment from, Moment to) {
  const auto seen = summarize(history, Metric::rtt, from, to);
  if (!seen || seen->smallest <= 0.0) return std::nullopt;
  return Microseconds(std::llround(seen->smallest));
}

}  // namespace tcpscope
