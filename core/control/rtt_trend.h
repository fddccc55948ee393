// How RTTs spread and whether they rise, over the segments of one sample cycle: mean, standard deviation, and the
// correlation of departure time and RTT. Sums in integers that never overflow: C for the kernel, C++ for the rest.
//
// Times are in microseconds. Those of a cycle are counted from its first departure.
#pragma once

#include "core/control/fixed_point.h"

#ifdef __cplusplus
namespace tcpscope {
#endif

/// 8.4 s: longer times and RTTs count as that.
static const uint32_t kMostMicroseconds = (1U << 23) - 1;
/// Samples beyond these do not count. With these two no sum of squares takes more than 62 bits.
static const uint32_t kMostRttSamples = (1U << 16) - 1;

struct RttTrend {
  uint64_t timeSum;
  uint64_t rttSum;
  uint64_t timeSquares;
  uint64_t rttSquares;
  uint64_t products;
  /// Microseconds, of a clock that may wrap around.
  uint32_t begin;
  uint32_t count;
};

CONTROL_FUNCTION void beginRttTrend(struct RttTrend* trend) {
  trend->timeSum = 0;
  trend->rttSum = 0;
  trend->timeSquares = 0;
  trend->rttSquares = 0;
  trend->products = 0;
  trend->begin = 0;
  trend->count = 0;
}

CONTROL_FUNCTION void addRttSample(struct RttTrend* trend, uint32_t departure, uint32_t rtt) {
  const uint64_t wrapped = 1U << 31;
  if (trend->count >= kMostRttSamples) return;
  if (trend->count == 0) trend->begin = departure;
  uint64_t time = departure - trend->begin;
  // A retransmission or a reordered segment, which left before the first one that counts.
  if (time >= wrapped) time = 0;
  if (time > kMostMicroseconds) time = kMostMicroseconds;
  const uint64_t limited = rtt > kMostMicroseconds ? kMostMicroseconds : rtt;
  trend->timeSum += time;
  trend->rttSum += limited;
  trend->timeSquares += time * time;
  trend->rttSquares += limited * limited;
  trend->products += time * limited;
  ++trend->count;
}

/// Microseconds, rounded down; 0 without samples.
CONTROL_FUNCTION uint32_t meanRtt(const struct RttTrend* trend) {
  return trend->count > 0 ? narrowed(trend->rttSum / trend->count) : 0;
}

/// first * second / count, which may not fit before the division.
CONTROL_FUNCTION uint64_t productOfSums(uint64_t first, uint64_t second, uint64_t count) {
  return first * (second / count) + (first * (second % count)) / count;
}

/// Of the RTTs, in microseconds, rounded down; 0 below two samples.
CONTROL_FUNCTION uint32_t rttDeviation(const struct RttTrend* trend) {
  if (trend->count < 2) return 0;
  const uint64_t squares = trend->rttSquares - productOfSums(trend->rttSum, trend->rttSum, trend->count);
  return narrowed(squareRoot(squares / trend->count));
}

/// Whether departure time and RTT correlate positively: their covariance is above zero. Below two samples they do not.
CONTROL_FUNCTION uint32_t isRttRising(const struct RttTrend* trend) {
  if (trend->count < 2) return 0;
  return trend->products > productOfSums(trend->timeSum, trend->rttSum, trend->count) ? 1 : 0;
}

/// Pearson's r of departure time and RTT, with kRatioBits, -1 to 1; 0 where one of them does not vary.
CONTROL_FUNCTION int64_t rttCorrelation(const struct RttTrend* trend) {
  if (trend->count < 2) return 0;
  const uint64_t ofTimes = trend->timeSquares - productOfSums(trend->timeSum, trend->timeSum, trend->count);
  const uint64_t ofRtts = trend->rttSquares - productOfSums(trend->rttSum, trend->rttSum, trend->count);
  const uint64_t expected = productOfSums(trend->timeSum, trend->rttSum, trend->count);
  const uint32_t rises = trend->products > expected ? 1 : 0;
  uint64_t covariance = rises ? trend->products - expected : expected - trend->products;
  // Each root is below 2^31; those of small values, rounded down, would be too coarse.
  const uint32_t isSmall = (ofTimes | ofRtts) >> 32 == 0 ? 1 : 0;
  uint64_t scale = isSmall ? squareRoot(ofTimes * ofRtts) : squareRoot(ofTimes) * squareRoot(ofRtts);
  if (scale == 0) return 0;
  if (covariance >> (63 - kRatioBits) != 0) {
    covariance >>= kRatioBits;
    scale >>= kRatioBits;
    if (scale == 0) return 0;
  }
  uint64_t ratio = (covariance << kRatioBits) / scale;
  // The roots were rounded down.
  if (ratio > 1U << kRatioBits) ratio = 1U << kRatioBits;
  const int64_t size = narrowed(ratio);
  return rises ? size : -size;
}

#ifdef __cplusplus
}  // namespace tcpscope
#endif
