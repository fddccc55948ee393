// A row's place in the order as two numbers, so that sorting a hundred thousand rows does not touch the rows.
#pragma once

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Compares as the rows do in the order of a SessionControl: smaller comes first.
struct SortRank {
  /// Pinned before others (unless rows are grouped), open before closed, then the sort key where that is a number.
  std::uint64_t key = 0;
  /// Decides between equal ones; it does not change, so that they keep their places.
  std::uint64_t cookie = 0;

  auto operator<=>(const SortRank&) const = default;
};

/// False for text and addresses: there a rank is only the beginning of a comparison.
bool isNumber(SortKey key);

SortRank sortRank(const SessionControl& control, const ConnectionFacts& facts, const ConnectionFigures& figures);

}  // namespace tcpscope
