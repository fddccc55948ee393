// A bounded set of sequence numbers as disjoint ranges in order: what the receiver has said to hold (SACK).
//
// Costs nothing while it is empty. Hostile input could ask for any number of ranges: past the limit the lowest one is
// given up and counted.
#pragma once

#include <vector>

#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

class SequenceRanges {
public:
  static constexpr std::size_t kMaxRanges = 1024;

  /// How many numbers were not in the set before.
  std::uint64_t add(SequenceRange range);
  void removeBelow(StreamOffset offset);
  void clear();

  [[nodiscard]] bool isEmpty() const { return m_ranges.empty(); }
  [[nodiscard]] bool contains(SequenceRange range) const;
  /// Sum of all ranges.
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  /// Past the last number of the set; 0 where it is empty.
  [[nodiscard]] StreamOffset end() const { return m_ranges.empty() ? 0 : m_ranges.back().end; }
  [[nodiscard]] const std::vector<SequenceRange>& ranges() const { return m_ranges; }
  [[nodiscard]] std::uint64_t forgottenRanges() const { return m_forgotten; }

private:
  std::vector<SequenceRange> m_ranges;
  std::uint64_t m_bytes = 0;
  std::uint32_t m_forgotten = 0;
};

}  // namespace tcpscope
