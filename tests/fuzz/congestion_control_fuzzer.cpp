// Any congestion windows and series of RTTs through the congestion controls: a(w) and b(w) stay in their ranges, the
// window never is 0, and no sum overflows (the sanitizers see that of signed numbers; the invariants see the others).
#include <cstdint>
#include <cstring>
#include <span>

#include "core/base/invariant.h"
#include "core/control/gentle_high_speed.h"

using namespace tcpscope;

namespace {

struct Step {
  std::uint32_t departure;
  std::uint32_t rtt;
  std::uint32_t acked;
  std::uint8_t kind;
};

void checkRatios(std::uint32_t window) {
  constexpr std::uint64_t kMostIncrease = 71U << kRatioBits;
  const std::uint64_t increase = highSpeedIncrease(window);
  const std::uint64_t decrease = highSpeedDecrease(window);
  TCPSCOPE_INVARIANT(increase >= kRenoIncrease && increase <= kMostIncrease);
  TCPSCOPE_INVARIANT(decrease >= kLeastDecrease && decrease <= kLargestDecrease);
  const std::uint32_t decreased = decreasedWindow(window);
  TCPSCOPE_INVARIANT(decreased >= kLeastWindow);
  TCPSCOPE_INVARIANT(decreased <= window || window < kLeastWindow);
}

void checkTrend(const RttTrend& trend) {
  const std::int64_t correlation = rttCorrelation(&trend);
  TCPSCOPE_INVARIANT(correlation >= -(1 << kRatioBits) && correlation <= 1 << kRatioBits);
  TCPSCOPE_INVARIANT(correlation <= 0 || isRttRising(&trend) == 1);
  TCPSCOPE_INVARIANT(correlation >= 0 || isRttRising(&trend) == 0);
  TCPSCOPE_INVARIANT(meanRtt(&trend) <= kMostMicroseconds);
  // The deviation is largest where one half is 0 and the other half the largest RTT.
  TCPSCOPE_INVARIANT(rttDeviation(&trend) <= kMostMicroseconds / 2 + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kStepBytes = 13;
  std::span<const std::uint8_t> rest(bytes, size);
  if (rest.size() < sizeof(std::uint32_t)) return 0;
  std::uint32_t window = 0;
  std::memcpy(&window, rest.data(), sizeof window);
  rest = rest.subspan(sizeof window);
  checkRatios(window);
  if (window == 0) window = 1;
  GentleState state{};
  beginGentle(&state);
  std::uint64_t credit = 0;
  for (; rest.size() >= kStepBytes; rest = rest.subspan(kStepBytes)) {
    Step step{};
    std::memcpy(&step.departure, rest.data(), sizeof step.departure);
    std::memcpy(&step.rtt, rest.data() + 4, sizeof step.rtt);
    std::memcpy(&step.acked, rest.data() + 8, sizeof step.acked);
    step.kind = rest[12];
    checkRatios(window);
    // One step may stand for many samples, so that a short input reaches the largest sums.
    const unsigned samples = 1U << 4U * (step.kind >> 6U);
    for (unsigned i = 0; i < samples; ++i) addRttSample(&state.trend, step.departure + i, step.rtt);
    checkTrend(state.trend);
    switch (step.kind % 5) {
      case 0:
        window = increasedWindow(window, step.acked, gentleIncrease(window, state.mode), ~0U, &credit);
        break;
      case 1:
        window = decreasedWindow(window);
        beginLossCycle(&state);
        break;
      case 2:
        endSampleCycle(&state, kRefinedRule);
        break;
      case 3:
        endSampleCycle(&state, kOriginalRule);
        break;
      default: {
        std::uint32_t beyond = 0;
        const std::uint32_t before = window;
        window = slowStartWindow(window, step.acked, step.rtt, step.departure, &beyond);
        TCPSCOPE_INVARIANT(beyond <= step.acked);
        TCPSCOPE_INVARIANT(window <= step.departure || window == 1);
        TCPSCOPE_INVARIANT(before >= step.rtt || window <= step.rtt || window == 1);
        break;
      }
    }
    TCPSCOPE_INVARIANT(window > 0);
    TCPSCOPE_INVARIANT(state.mode == kHighSpeedMode || state.mode == kRenoMode);
    TCPSCOPE_INVARIANT(credit >> kRatioBits <= window || step.kind % 5 != 0);
  }
  return 0;
}
