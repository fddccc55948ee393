// The moments at which something is due, every `interval` from a start.
//
// Slots are absolute: what comes late does not move the ones after it, and a slot that passed unused is counted.
#pragma once

#include <cstdint>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

class SlotSchedule {
public:
  /// `interval` is above zero.
  void start(Moment first, Nanoseconds interval);
  [[nodiscard]] Moment next() const { return m_next; }
  [[nodiscard]] bool isDue(Moment now) const { return now >= m_next; }
  /// Goes on behind `now`: how many slots passed unused beside the one that is taken.
  std::uint64_t take(Moment now);

private:
  Moment m_next;
  Nanoseconds m_interval{1};
};

}  // namespace tcpscope
