// Counts what was lost between two batches, by kind.
#pragma once

#include <array>
#include <vector>

#include "core/model/collection_gap.h"

namespace tcpscope {

class GapCounts {
public:
  void add(GapKind kind, std::uint64_t count = 1) { m_counts[static_cast<std::size_t>(kind)] += count; }

  [[nodiscard]] std::uint64_t of(GapKind kind) const { return m_counts[static_cast<std::size_t>(kind)]; }

  /// What came together since the last call; nothing is listed that did not happen.
  std::vector<CollectionGap> take(PlaceId place) {
    std::vector<CollectionGap> gaps;
    for (std::size_t kind = 0; kind < m_counts.size(); ++kind) {
      if (m_counts[kind] > 0) gaps.push_back({place, static_cast<GapKind>(kind), m_counts[kind]});
    }
    m_counts = {};
    return gaps;
  }

private:
  std::array<std::uint64_t, kGapKinds> m_counts{};
};

}  // namespace tcpscope
