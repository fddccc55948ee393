// The spacing in which packets of one direction passed the capture point: gaps of time with the bytes that each ended.
//
// The first few thousand are enough to show what the path does to packets that are sent close together, so that memory
// is bounded and a long transfer costs no more than a short one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

struct Arrival {
  static constexpr std::uint32_t kUnknownGap = std::numeric_limits<std::uint32_t>::max();

  /// Since the arrival before; kUnknownGap where something else than the path lies between the two.
  std::uint32_t gapNs = kUnknownGap;
  /// Between the sending of the newest byte of each of the two; 0 where that is not known.
  std::uint32_t sendGapNs = 0;
  /// New with this arrival.
  std::uint32_t bytes = 0;

  [[nodiscard]] bool continues() const { return gapNs != kUnknownGap; }
};

class ArrivalLog {
public:
  static constexpr std::size_t kMostArrivals = 2048;

  [[nodiscard]] bool isFull() const { return m_arrivals.size() >= kMostArrivals; }
  /// New bytes that arrived at `time`, the newest of them sent at `sent`; not for a full log.
  void take(WallTime time, WallTime sent, std::uint64_t bytes);
  /// Something was lost, repaired or passed out of order: the next gap is not known.
  void breakOff() { m_continues = false; }

  [[nodiscard]] std::span<const Arrival> arrivals() const { return m_arrivals; }
  [[nodiscard]] std::size_t residentBytes() const { return m_arrivals.capacity() * sizeof(Arrival); }

private:
  std::vector<Arrival> m_arrivals;
  WallTime m_time;
  WallTime m_sent;
  bool m_continues = false;
};

}  // namespace tcpscope
