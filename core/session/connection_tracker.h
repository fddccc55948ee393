// What the session keeps of every connection: its last sample, its activity, its end, and which of them changed since
// the last picture was made.
//
// Nothing here is what a view sees: rows and their order are made from it (connection_list.h).
#pragma once

#include <deque>

#include "core/session/connection_table.h"
#include "core/session/dump_times.h"
#include "core/session/four_tuple.h"
#include "core/session/recent_events.h"
#include "core/session/session_budget.h"

namespace tcpscope {

class ConnectionTracker {
public:
  explicit ConnectionTracker(const SessionBudget& budget) : m_budget(budget) {}

  /// Which connections get a full record, and whether closed ones are kept.
  void setControl(const SessionControl& control);

  /// A look at a connection, known or new. False where it is new and the budget of sockets is used up. What TIME-WAIT
  /// leaves of a connection is no look at it, and no connection of its own where that one's end is known.
  [[nodiscard]] bool take(const SocketObservation& sample);
  /// The end of a connection; one that was never seen before is known by its last word. False as above.
  [[nodiscard]] bool close(const ClosedSocket& closed);
  /// Told to the connections that get a full record; the others keep nothing of it.
  void addRetransmission(PlaceId place, const RetransmissionEvent& event);
  /// Goes to the connection of these addresses where it has a full record, now or as soon as it gets one.
  void addEvent(PlaceId place, const SourceEvent& event);
  /// As retransmissions; of one connection, or of all of the place.
  void addChange(PlaceId place, const ChangeMark& mark);
  /// False for a connection that is not known.
  bool setOwner(ConnectionId id, std::uint32_t ownerIndex);
  void setBufferLocks(const BufferLockObservation& observed);
  /// Connections that it found unchanged get their silence; those silent for a whole window lose their activity.
  void dumpEnded(PlaceId place, Moment at);
  /// What the next look at a connection says of the one before it is of a look that never came.
  void looksLost(PlaceId place);
  /// Nobody tells of the place any more: what is known of its connections is of before.
  void loseSight(PlaceId place);
  /// Connections of a place that was lost which were not seen since.
  [[nodiscard]] std::vector<ConnectionId> unheard(PlaceId place) const;
  /// Connections of this place were never there.
  void forget(PlaceId place);

  [[nodiscard]] const TrackedConnection* find(ConnectionId id) const { return m_table.find(id); }
  /// Null for an empty slot.
  [[nodiscard]] const TrackedConnection* inSlot(std::uint32_t slot) const { return m_table.inSlot(slot); }
  [[nodiscard]] std::size_t size() const { return m_table.size(); }
  [[nodiscard]] std::size_t slots() const { return m_table.slots(); }
  [[nodiscard]] CopyBytes copyBytes() const;
  /// Up to when this connection was seen: its last sample, or a later dump that found it unchanged.
  [[nodiscard]] Moment seenUntil(const TrackedConnection& tracked) const;

  /// Of the connection in this slot, since the last call.
  [[nodiscard]] std::uint32_t takeLossEvents(std::uint32_t slot);
  /// Slots of what came, changed or went since the last call, each once.
  [[nodiscard]] std::vector<std::uint32_t> takeTouched();

private:
  TrackedConnection* start(const SocketObservation& first);
  void letSilencePass();
  void watch(TrackedConnection& tracked, const SocketObservation& first);
  /// Calls `use` with the connections of these addresses that have a full record.
  template <class Use>
  void ofAddresses(const FourTuple& addresses, Use&& use);
  void takeStep(TrackedConnection& tracked, const SocketObservation& now);
  void dropOldestClosed();
  void stop(const TrackedConnection& tracked);
  /// Calls `use` with each connection of the place.
  template <class Use>
  void ofPlace(PlaceId place, Use&& use);
  /// A later connection may have had the same addresses: the index knows the latest.
  void note(SlotIndex<FourTuple>& index, const TrackedConnection& tracked);
  void forgetAddresses(const TrackedConnection& tracked);
  [[nodiscard]] const TrackedConnection* findEnded(const SocketObservation& socket) const;
  void touch(std::uint32_t slot);
  [[nodiscard]] auto tupleAt() const {
    return [this](std::uint32_t slot) { return FourTuple::of(m_table.inSlot(slot)->last.unpack()); };
  }
  [[nodiscard]] bool isChosen(ConnectionId id) const { return m_focus == id || m_chosen.contains(id); }
  [[nodiscard]] bool isWanted(ConnectionId id) const { return m_budget.keepsEveryHistory || isChosen(id); }

  SessionBudget m_budget;
  std::optional<ConnectionId> m_focus;
  /// Pinned or followed.
  std::set<ConnectionId> m_chosen;
  Microseconds m_focusInterval{0};
  Milliseconds m_listInterval{0};
  bool m_keepClosed = true;
  ConnectionTable m_table;
  DumpTimes m_dumps;
  std::deque<ConnectionId> m_closed;
  /// Of connections that are closed, or only TIME-WAIT was seen of.
  SlotIndex<FourTuple> m_ended;
  /// Of all, where every connection keeps its history.
  SlotIndex<FourTuple> m_byAddresses;
  RecentEvents m_recentEvents;
  /// Of histories of connections that are gone: copies of before may share them.
  std::size_t m_goneHistoryBytes = 0;
  /// Slots of connections with activity.
  std::vector<std::uint32_t> m_active;
  /// Slots of connections seen only once: whether they are silent the next dump tells.
  std::vector<std::uint32_t> m_seenOnce;
  std::vector<std::uint32_t> m_touched;
  std::vector<bool> m_isTouched;
};

}  // namespace tcpscope
