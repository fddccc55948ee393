// HighSpeed TCP (RFC 3649): how the congestion window grows and shrinks, in integers.
//
// a(w) and b(w) come from the formulae of section 5 with its parameters (Low_Window 38, High_Window 83000, High_P
// 10^-7, High_Decrease 0.1), not from the table of appendix B, which holds the windows where a(w) passes a whole
// number. Up to Low_Window it is Reno; beyond High_Window both keep their values of High_Window: the RFC gives no
// values for larger windows.
#pragma once

#include "core/control/fixed_point.h"

#ifdef __cplusplus
namespace tcpscope {
#endif

/// Segments.
static const uint32_t kLowWindow = 38;
static const uint32_t kHighWindow = 83000;
/// No decrease goes below, as in the kernel: two segments do not wait for a delayed ACK.
static const uint32_t kLeastWindow = 2;
/// 1, with kRatioBits: a(w) of Reno.
static const uint64_t kRenoIncrease = 65536;
/// b(w) at Low_Window and at High_Window, 0.5 and 0.1, with kRatioBits.
static const uint64_t kLargestDecrease = 32768;
static const uint64_t kLeastDecrease = 6554;

/// The window within the range of the formulae.
CONTROL_FUNCTION uint32_t formulaWindow(uint32_t window) {
  if (window < kLowWindow) return kLowWindow;
  if (window > kHighWindow) return kHighWindow;
  return window;
}

/// b(w), with kRatioBits: 0.5 at Low_Window, 0.1 at High_Window, and a line over log(w) between them.
CONTROL_FUNCTION uint64_t highSpeedDecrease(uint32_t window) {
  // log2(38) and log2(83000 / 38), with kLogarithmBits.
  const uint64_t logarithmOfLow = 88045613;
  const uint64_t logarithmOfRange = 186107916;
  const uint64_t logarithm = binaryLogarithm(formulaWindow(window));
  // The logarithm of Low_Window itself is rounded down.
  const uint64_t above = logarithm > logarithmOfLow ? logarithm - logarithmOfLow : 0;
  const uint64_t fall = (above * (kLargestDecrease - kLeastDecrease)) / logarithmOfRange;
  return fall < kLargestDecrease - kLeastDecrease ? kLargestDecrease - fall : kLeastDecrease;
}

/// a(w) = w^2 p(w) 2 b(w) / (2 - b(w)) segments an RTT, with kRatioBits, where p(w) = 0.078 / w^1.2; at least 1.
CONTROL_FUNCTION uint64_t highSpeedIncrease(uint32_t window) {
  // -log2(0.078), with kLogarithmBits.
  const uint64_t minusLogarithmOfFactor = 61746565;
  if (window <= kLowWindow) return kRenoIncrease;
  const uint64_t logarithm = binaryLogarithm(formulaWindow(window));
  const uint64_t squareByLoss = binaryExponential((logarithm * 4) / 5 - minusLogarithmOfFactor);
  const uint64_t decrease = highSpeedDecrease(window);
  const uint64_t increase = (squareByLoss * 2 * decrease) / ((2U << kRatioBits) - decrease);
  return increase > kRenoIncrease ? increase : kRenoIncrease;
}

/// The slow start threshold after a congestion event: (1 - b(w)) w.
CONTROL_FUNCTION uint32_t decreasedWindow(uint32_t window) {
  const uint64_t lost = (window * highSpeedDecrease(window)) >> kRatioBits;
  const uint32_t decreased = narrowed(window - lost);
  if (decreased < kLeastWindow) return kLeastWindow;
  return decreased;
}

/// The window of congestion avoidance after `acked` segments: w + acked a(w) / w, at most `clamp`, at least 1. `credit`
/// keeps what does not make up a segment yet, with kRatioBits.
CONTROL_FUNCTION uint32_t increasedWindow(uint32_t window, uint32_t acked, uint64_t increase, uint32_t clamp,
                                          uint64_t* credit) {
  uint64_t price = window > 0 ? window : 1;
  price <<= kRatioBits;
  // From a larger window: one segment, not what it is worth at this one (tcp_cong_avoid_ai()).
  if (*credit > price) *credit = price;
  *credit += acked * increase;
  const uint64_t segments = *credit / price;
  *credit -= segments * price;
  uint64_t increased = window + segments;
  if (increased > clamp) increased = clamp;
  return increased > 0 ? narrowed(increased) : 1;
}

/// The window of slow start after `acked` segments, at most `clamp`, at least 1: one for each, up to the threshold.
/// `rest` are those that were acknowledged beyond it (tcp_slow_start()).
CONTROL_FUNCTION uint32_t slowStartWindow(uint32_t window, uint32_t acked, uint32_t threshold, uint32_t clamp,
                                          uint32_t* rest) {
  uint32_t missing = threshold > window ? threshold - window : 0;
  if (missing > acked) missing = acked;
  *rest = acked - missing;
  uint32_t reached = window + missing;
  if (reached > clamp) reached = clamp;
  return reached > 0 ? reached : 1;
}

#ifdef __cplusplus
}  // namespace tcpscope
#endif
