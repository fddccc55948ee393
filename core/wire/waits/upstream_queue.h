// The queue between the sender of segments, acknowledgments too, and the capture point, from the timestamps of its
// segments (RFC 7323): how much longer than at the quickest a segment took to get here.
//
// A pause of the sender's shows in its timestamps, a queue does not. The clock's tick is found from the pace of the
// values; where they count no usual unit of time, and during the first second, no queue is seen. The quickest way
// ages, because no two clocks run alike.
#pragma once

#include <cstdint>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

class UpstreamQueue {
public:
  /// A segment with this timestamp passes the capture point.
  void take(WallTime time, std::uint32_t timestamp);
  /// Time that the last segment waited; 0 where none is seen.
  [[nodiscard]] Nanoseconds delay() const { return m_delay; }
  /// Does the clock count a usual unit, as far as it is known?
  [[nodiscard]] bool isKnown() const { return m_tick > Nanoseconds::zero(); }

private:
  WallTime m_firstTime;
  WallTime m_lastTime;
  std::uint32_t m_firstTimestamp = 0;
  bool m_hasFirst = false;
  Nanoseconds m_tick{0};
  /// From the clock of the timestamps to the capture's, relative to the first segment: the smallest.
  Nanoseconds m_quickest{0};
  Nanoseconds m_delay{0};
};

}  // namespace tcpscope
