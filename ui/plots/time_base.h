// The time axis of the instrument: ten divisions, and a time per division that moves in 1-2-5 steps from 1 ms to
// 10 min. From a minute on the steps count minutes; 50 s is left out, because it would be no step to 1 min.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

inline constexpr int kTimeDivisions = 10;

class TimeBase {
public:
  /// The shortest step whose ten divisions hold `span`; the longest step where none does.
  static TimeBase holding(Nanoseconds span);
  /// Every time per division there is, shortest first.
  static std::span<const Milliseconds> steps();

  [[nodiscard]] Milliseconds perDivision() const { return steps()[m_step]; }
  [[nodiscard]] Nanoseconds span() const { return perDivision() * kTimeDivisions; }
  [[nodiscard]] std::size_t step() const { return m_step; }
  /// Beyond the last step it stays there.
  void setStep(std::size_t step);
  /// False where there is no shorter (longer) step.
  bool zoomIn();
  bool zoomOut();

  bool operator==(const TimeBase&) const = default;

private:
  // 1 s per division: ten seconds of past fit what a person remembers.
  std::size_t m_step = 9;
};

}  // namespace tcpscope
