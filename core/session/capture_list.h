// The connections of a capture as snapshots show them: rows sorted, grouped and filtered like those of a live session.
//
// The end that opened a connection is taken for the local one. Moments are the capture's wall time. What a capture does
// not show (owner, congestion control) is unknown.
#pragma once

#include <vector>

#include "core/session/capture/connection_analysis.h"
#include "core/session/row_order.h"

namespace tcpscope {

/// The clock of captures: moments are wall time.
inline constexpr ClockPair kCaptureClock{};
constexpr Moment captureMoment(WallTime time) {
  return kCaptureClock.monotonic + (time - kCaptureClock.wall);
}
/// What a connection of a capture is called: `index` as in CaptureAnalysis.
constexpr ConnectionId captureConnectionId(PlaceId place, std::size_t index) {
  return {place, std::uint64_t{index} + 1};
}
/// The other way; meaningless for an id of another kind of place.
constexpr std::size_t captureIndexOf(ConnectionId id) {
  return static_cast<std::size_t>(id.cookie - 1);
}

ConnectionRow rowOf(const ConnectionAnalysis& analysis, ConnectionId id);

class CaptureList {
public:
  /// Takes effect with the next publish().
  void setControl(const SessionControl& control);
  /// A new connection, or a known one as it is now.
  void set(std::uint32_t slot, const ConnectionRow& row);
  /// Gives the snapshot its pages, order and groups.
  void publish(SessionSnapshot& snapshot);

private:
  [[nodiscard]] bool passesFilter(const ConnectionRow& row) const;

  SessionControl m_control;
  std::vector<ConnectionRow> m_rows;
  std::vector<std::uint32_t> m_changed;
  std::vector<bool> m_isChanged;
  std::vector<bool> m_shown;
  RowPages m_pages;
  RowOrder m_order;
  bool m_remakeAll = true;
};

}  // namespace tcpscope
