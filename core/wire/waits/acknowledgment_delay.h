// Vantage-point delay: acknowledgments that have passed the capture point but have not reached the sender yet.
//
// Costs nothing before the first. Bounded: where more are in flight than it holds, neighbours are joined, the later
// standing for both; at a sixty-fourth of the way between two of them that is no loss.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/moment.h"
#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

/// What one acknowledgment said.
struct PassedAcknowledgment {
  WallTime time;
  StreamOffset acknowledged = 0;
  /// Right edge of the window; 0 if its scale is unknown.
  StreamOffset edge = 0;
  std::uint64_t sackedBytes = 0;
  /// Its segment carried data of the other direction.
  bool carriesData = false;
};

class AcknowledgmentDelay {
public:
  /// `way`: the vantage-point delay.
  void push(const PassedAcknowledgment& passed, Nanoseconds way) {
    const bool isClose = m_size > 0 && passed.time - at(m_size - 1).time < way / static_cast<std::int64_t>(kMostPlaces);
    if (isClose || m_size == kMostPlaces) {
      // The earlier time stays: the sender knew of something then.
      const WallTime time = at(m_size - 1).time;
      at(m_size - 1) = passed;
      at(m_size - 1).time = time;
      return;
    }
    if (m_size == m_places.size()) grow();
    at(m_size++) = passed;
  }
  /// The oldest, if it passed by then; null where there is none.
  [[nodiscard]] const PassedAcknowledgment* due(WallTime time) {
    return m_size > 0 && at(0).time <= time ? &at(0) : nullptr;
  }
  void pop() {
    m_first = (m_first + 1) % m_places.size();
    --m_size;
  }
  /// Gives the memory back.
  void release() { *this = AcknowledgmentDelay(); }
  [[nodiscard]] std::size_t residentBytes() const { return m_places.capacity() * sizeof(PassedAcknowledgment); }

private:
  static constexpr std::size_t kFewestPlaces = 4;
  static constexpr std::size_t kMostPlaces = 64;
  [[nodiscard]] PassedAcknowledgment& at(std::size_t index) { return m_places[(m_first + index) % m_places.size()]; }
  void grow() {
    std::vector<PassedAcknowledgment> larger;
    larger.reserve(std::max(kFewestPlaces, m_places.size() * 2));
    for (std::size_t index = 0; index < m_size; ++index) larger.push_back(at(index));
    larger.resize(larger.capacity());
    m_places = std::move(larger);
    m_first = 0;
  }

  /// A ring that grows to what is in flight.
  std::vector<PassedAcknowledgment> m_places;
  std::size_t m_first = 0;
  std::size_t m_size = 0;
};

}  // namespace tcpscope
