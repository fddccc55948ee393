#include "collectors/system/clock_pair.h"

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

ClockReading readClocks() {
  constexpr int kReadings = 5;
  ClockReading best;
  for (int reading = 0; reading < kReadings; ++reading) {
    const Moment before = monotonicNow();
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    const Nanoseconds apart = monotonicNow() - before;
    const Nanoseconds error = apart - apart / 2;
    if (reading > 0 && error >= best.error) continue;
    best.error = error;
    best.pair = {before + apart / 2, WallTime::fromNanoseconds(std::chrono::duration_cast<Nanoseconds>(wall).count())};
  }
  return best;
}

}  // namespace tcpscope
