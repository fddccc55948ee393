#include "ui/plots/time_base.h"

#include <algorithm>
#include <array>

namespace tcpscope {

namespace {

constexpr std::array<Milliseconds, 18> kSteps = {
    Milliseconds(1),       Milliseconds(2),       Milliseconds(5),      Milliseconds(10),     Milliseconds(20),
    Milliseconds(50),      Milliseconds(100),     Milliseconds(200),    Milliseconds(500),    Milliseconds(1'000),
    Milliseconds(2'000),   Milliseconds(5'000),   Milliseconds(10'000), Milliseconds(20'000), Milliseconds(60'000),
    Milliseconds(120'000), Milliseconds(300'000), Milliseconds(600'000)};

}  // namespace

std::span<const Milliseconds> TimeBase::steps() {
  return kSteps;
}

TimeBase TimeBase::holding(Nanoseconds span) {
  TimeBase base;
  base.m_step = 0;
  while (base.span() < span && base.zoomOut()) {
  }
  return base;
}

void TimeBase::setStep(std::size_t step) {
  m_step = std::min(step, kSteps.size() - 1);
}

bool TimeBase::zoomIn() {
  if (m_step == 0) return false;
  --m_step;
  return true;
}

bool TimeBase::zoomOut() {
  if (m_step + 1 == kSteps.size()) return false;
  ++m_step;
  return true;
}

}  // namespace tcpscope
