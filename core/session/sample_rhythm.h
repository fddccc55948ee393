// Distinguishes a gap in the samples of one connection from their usual spacing.
//
// The spacing itself is not known here: it is what the user chose, longer when the machine is busy, and it changes with
// what is selected. A step several times as long as both before it is a hole; after a change of the rate nothing is
// judged for a while.
#pragma once

#include <algorithm>

#include "core/base/moment.h"

namespace tcpscope {

class SampleRhythm {
public:
  /// The next samples come at another rate.
  void rateChanges() { m_unjudged = kSettling; }

  /// Takes the time since the previous sample; true if samples are missing in between.
  [[nodiscard]] bool isHole(Nanoseconds step) {
    const Nanoseconds usual = std::max(m_previous, m_beforePrevious);
    m_beforePrevious = m_previous;
    m_previous = step;
    const bool isJudged = m_unjudged.count() <= 0;
    m_unjudged -= step;
    return isJudged && usual.count() > 0 && step > kHoleSteps * usual;
  }

private:
  static constexpr int kHoleSteps = 5;
  static constexpr Nanoseconds kSettling = std::chrono::seconds(2);

  Nanoseconds m_previous{0};
  Nanoseconds m_beforePrevious{0};
  Nanoseconds m_unjudged = kSettling;
};

}  // namespace tcpscope
