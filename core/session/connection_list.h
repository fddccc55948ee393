// The list as snapshots get it: a row for every connection, and the order of those that pass the filter.
//
// Follows what is tracked: each update rebuilds only the rows of connections that changed since the last one.
#pragma once

#include "core/advice/path_sighting.h"
#include "core/session/condition_watch.h"
#include "core/session/connection_tracker.h"
#include "core/session/owner_register.h"
#include "core/session/row_order.h"

namespace tcpscope {

class ConnectionList {
public:
  /// Takes effect with the next update.
  void setControl(const SessionControl& control);
  /// The slots whose rows were rebuilt.
  std::vector<std::uint32_t> update(ConnectionTracker& tracker, const OwnerRegister& owners, Moment now);
  /// As the connection's row has it; unknown where none was made yet.
  [[nodiscard]] SightedVerdict verdict(std::uint32_t slot, ConnectionId id) const;

  /// The row of a connection as of now; `last` is its last sample, unpacked.
  [[nodiscard]] ConnectionRow rowOf(const TrackedConnection& tracked, const SocketObservation& last) const;
  /// Gives the snapshot its pages, order and groups.
  void publish(SessionSnapshot& snapshot);

private:
  /// Notes when rows got their places.
  RowPlaces placesAt(Moment now);
  void remakeRow(std::uint32_t slot, const ConnectionTracker& tracker, const OwnerRegister& owners, Moment now);

  SessionControl m_control;
  RowPages m_rows;
  RowOrder m_order;
  ConditionWatch m_trigger;
  std::vector<bool> m_shown;
  bool m_remakeAll = true;
  Moment m_orderedAt;
  std::optional<Moment> m_firstAt;
};

}  // namespace tcpscope
