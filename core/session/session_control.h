// What a user requests from the running session: the only way back from views to the analysis.
//
// One value that holds everything. A newer value replaces an older one that still waits; nothing is queued.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/filter/connection_filter.h"
#include "core/model/change_mark.h"
#include "core/model/connection_id.h"

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
  age,
  duration,
  sentBytes,
  receivedBytes,
  /// By severity of the worst finding, then by data: only what a capture holds has one.
  worst,
  /// By severity of the verdict, then by rate: of what lives.
  verdict
};
inline constexpr SortKey kLastSortKey = SortKey::verdict;
enum class Grouping : std::uint8_t { none, process, remote, place };

/// The packets of one connection, captured while it lives.
struct CaptureRequest {
  /// Another number is another capture, even of the same connection.
  std::uint32_t number = 0;
  ConnectionId connection;
  /// pcap-filter(7), verbatim.
  std::string filter;
  /// Empty for the one that the connection's packets pass.
  std::string interface;
  /// No more packets; what was captured stays.
  bool isOver = false;
  /// The file to write what was captured into; another number writes again.
  std::string saveTo;
  std::uint32_t saveNumber = 0;

  bool operator==(const CaptureRequest&) const = default;
};

/// Waits on every connection for those that begin to match a filter; the outcome is in the snapshot's `triggered`.
struct TriggerRequest {
  /// Another number arms it again.
  std::uint32_t number = 0;
  ConnectionFilter filter;
  /// A connection is named again after so long at the earliest, and after it has not matched meanwhile.
  Nanoseconds holdOff{0};
  /// Those that match when it is armed begin then.
  bool countsPresent = false;
};

struct SessionControl {
  Milliseconds listInterval{1000};
  /// Sampled by exact requests; full history is kept.
  std::optional<ConnectionId> focus;
  Microseconds focusInterval{10000};
  /// Full history at the list's rate.
  std::set<ConnectionId> pinned;
  /// As pinned ones, but not shown in the list.
  std::set<ConnectionId> followed;
  ConnectionFilter filter;
  SortKey sortKey = SortKey::rate;
  bool sortDescending = true;
  /// A row whose figures change gets its new place this often; zero: at every snapshot.
  Nanoseconds orderInterval{0};
  /// Rows keep their places, and new ones come last: the user points at them.
  bool keepsOrder = false;
  Grouping grouping = Grouping::none;
  bool keepClosed = true;
  bool showListeners = true;
  /// Gather what needs attention (core/session/problems.h), once a second.
  bool listsProblems = false;
  /// Without one nothing is captured, and what was captured is released.
  std::optional<CaptureRequest> capture;
  /// Closed connections are left out where they are not kept in the list.
  std::optional<TriggerRequest> trigger;
  /// Options of connections that this program changed, which no collector sees: in order of time; earlier ones stay.
  std::vector<ChangeMark> changeMarks;
};

/// Do both let the same rows pass, in the same order?
bool listsAlike(const SessionControl& a, const SessionControl& b);

}  // namespace tcpscope
