// Gentle HighSpeed TCP: HighSpeed TCP that grows as Reno does while the bottleneck is saturated (Zhang, Hasegawa,
// Murata, "Experimental Evaluations of Gentle HighSpeed TCP for Long-Fat Networks").
//
// In HSTCP mode a(w) is that of HighSpeed TCP, in Reno mode it is 1; b(w) is that of HighSpeed TCP in both. The mode is
// decided after each sample cycle, one RTT: by the trend of its RTTs alone (original), or by two thresholds above the
// minimum, with the trend between them (refined).
#pragma once

#include "core/control/high_speed.h"
#include "core/control/rtt_trend.h"

#ifdef __cplusplus
namespace tcpscope {
#endif

enum GentleMode { kHighSpeedMode = 0, kRenoMode = 1 };
enum GentleRule { kOriginalRule = 0, kRefinedRule = 1 };

struct GentleState {
  struct RttTrend trend;
  /// The smallest mean RTT of a sample cycle since the last loss event, in microseconds; 0 before the first cycle has
  /// ended.
  uint32_t minimumRtt;
  /// GentleMode.
  uint32_t mode;
};

/// Of a new connection, and after each loss event; the mode stays until a cycle has ended.
CONTROL_FUNCTION void beginLossCycle(struct GentleState* state) {
  beginRttTrend(&state->trend);
  state->minimumRtt = 0;
}

CONTROL_FUNCTION void beginGentle(struct GentleState* state) {
  beginLossCycle(state);
  state->mode = kHighSpeedMode;
}

/// The original rule: Reno mode where a positive correlation is recognized.
CONTROL_FUNCTION enum GentleMode originalMode(uint32_t isRising) {
  return isRising ? kRenoMode : kHighSpeedMode;
}

/// The refined rule: below RTT_min + 2 RTT_std HSTCP mode, from RTT_min + 4 RTT_std on Reno mode, and by the trend
/// between them. A deviation below the clock's microsecond counts as that: else the minimum itself were above both
/// thresholds.
CONTROL_FUNCTION enum GentleMode refinedMode(uint64_t rtt, uint64_t minimum, uint64_t deviation, uint32_t isRising) {
  if (deviation == 0) deviation = 1;
  if (rtt < minimum + 2 * deviation) return kHighSpeedMode;
  if (rtt >= minimum + 4 * deviation) return kRenoMode;
  return originalMode(isRising);
}

/// Ends the sample cycle: decides the mode of the next one, which begins without samples. Too few of them decide
/// nothing.
CONTROL_FUNCTION void endSampleCycle(struct GentleState* state, enum GentleRule rule) {
  const uint32_t fewestSamples = 2;
  if (state->trend.count >= fewestSamples) {
    const uint32_t mean = meanRtt(&state->trend);
    const uint32_t isRising = isRttRising(&state->trend);
    if (state->minimumRtt == 0 || mean < state->minimumRtt) state->minimumRtt = mean;
    if (rule == kRefinedRule) {
      state->mode = refinedMode(mean, state->minimumRtt, rttDeviation(&state->trend), isRising);
    } else {
      state->mode = originalMode(isRising);
    }
  }
  beginRttTrend(&state->trend);
}

/// a(w), with kRatioBits.
CONTROL_FUNCTION uint64_t gentleIncrease(uint32_t window, uint32_t mode) {
  if (mode == kRenoMode) return kRenoIncrease;
  return highSpeedIncrease(window);
}

#ifdef __cplusplus
}  // namespace tcpscope
#endif
