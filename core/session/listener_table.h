// The listening sockets and their owners. They are not connections: they have rows of their own, rebuilt for each
// snapshot, since a machine has few of them. Bounded: those beyond the limit are not taken.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/session/session_budget.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class ListenerTable {
public:
  explicit ListenerTable(std::size_t mostListeners = SessionBudget().listeners) : m_most(mostListeners) {}

  /// The newest sample of a listener; its owner stays. False if it is new and there is no space for another.
  bool take(const SocketObservation& listener);
  [[nodiscard]] bool contains(ConnectionId id) const { return m_listeners.contains(id); }
  /// Ignored for a socket that is not here.
  void setOwner(ConnectionId id, std::shared_ptr<const Owner> owner);
  /// True where it was here.
  bool erase(ConnectionId id) { return m_listeners.erase(id) > 0; }

  void forget(PlaceId place) {
    std::erase_if(m_listeners, [place](const auto& listener) { return listener.first.place == place; });
  }

  /// Adds the newest sample of each listener of the batch's place, and its owner.
  void report(ObservationBatch& batch) const;

  [[nodiscard]] std::size_t size() const { return m_listeners.size(); }
  /// What they take with their owners.
  [[nodiscard]] std::size_t bytes() const;
  /// One row a listener with what was found about it, in order of identity.
  [[nodiscard]] std::vector<ListenerRow> rows() const;

private:
  struct Listener {
    SocketObservation socket;
    /// Null until it is known.
    std::shared_ptr<const Owner> owner;
  };
  std::size_t m_most;
  std::map<ConnectionId, Listener> m_listeners;
};

/// The sample that a row stands for.
SocketObservation observationOf(const ListenerRow& row);

}  // namespace tcpscope
