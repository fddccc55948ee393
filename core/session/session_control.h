// What a user wants of the running session: the only way back from views to the analysis.
//
// One value that holds everything. A newer value replaces an older one that still waits; nothing is queued.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/connection/connection_id.h"
#include "core/filter/connection_filter.h"

namespace tcpscope {

enum class SortKey : std::uint8_t {
  process,
  local,
  remote,
  state,
  sendRate,
  receiveRate,
  rate,
  rtt,
  retransmitted,
  limit,
  place,
  age
};
enum class Grouping : std::uint8_t { none, process, remote, place };

struct SessionControl {
  Milliseconds listInterval{1000};
  /// Sampled by exact requests; full history is kept.
  std::optional<ConnectionId> focus;
  Microseconds focusInterval{10000};
  /// Full history at the list's rate.
  std::set<ConnectionId> pinned;
  /// As pinned ones, but nobody sees it in the list.
  std::set<ConnectionId> followed;
  ConnectionFilter filter;
  SortKey sortKey = SortKey::rate;
  bool sortDescending = true;
  Grouping grouping = Grouping::none;
  bool keepClosed = true;
  bool showListeners = true;
};

}  // namespace tcpscope
