#include "collectors/sock_diag/slot_schedule.h"

#include <algorithm>

namespace tcpscope {

void SlotSchedule::start(Moment first, Nanoseconds interval) {
  m_next = first;
  m_interval = interval;
}

std::uint64_t SlotSchedule::take(Moment now) {
  const std::int64_t passed = std::max<std::int64_t>(0, (now - m_next) / m_interval);
  m_next = m_next + m_interval * (passed + 1);
  return static_cast<std::uint64_t>(passed);
}

}  // namespace tcpscope
