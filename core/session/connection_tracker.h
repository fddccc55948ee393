// Keeps the state of every connection: its last sample, its activity, its end, and which connections changed since the
// last snapshot.
//
// Knows nothing of presentation: rows and their order are built from it (connection_list.h).
#pragma once

#include <deque>
#include <map>
#include <span>
#include <utility>

#include "core/session/address_index.h"
#include "core/session/dump_times.h"
#include "core/session/recent_events.h"
#include "core/session/session_budget.h"
#include "core/session/spare_activities.h"
#include "core/session/table_use.h"

namespace tcpscope {

class ConnectionTracker {
public:
  explicit ConnectionTracker(const SessionBudget& budget) : m_budget(budget), m_used(budget) {}

  /// Which connections get a full record, and whether closed ones are kept.
  void setControl(const SessionControl& control);

  /// Takes a sample of a known or new connection. False if it is new and a budget, of sockets or bytes, is used up. The
  /// TIME-WAIT socket of a connection is no sample of it, and no new connection if the end of the original is known.
  [[nodiscard]] bool take(const SocketObservation& sample);
  /// The same for samples of one connection in order, at least one; gives how many were taken. Only the last of them is
  /// kept, so that each but the first is compared with the one before it as it is.
  [[nodiscard]] std::size_t takeRun(std::span<const SocketObservation> samples);
  /// Takes the end of a connection; one never seen before is added with its closing sample. False as above.
  [[nodiscard]] bool close(const ClosedSocket& closed);
  /// Reaches only connections with a full record.
  void addRetransmission(PlaceId place, const RetransmissionEvent& event);
  /// Goes to the connection of these addresses where it has a full record, now or as soon as it gets one.
  void addEvent(PlaceId place, const SourceEvent& event);
  /// A drop or a retransmission with its report: reaches only connections with a full record.
  void addLoss(const FourTuple& addresses, const ReportedLoss& loss);
  /// As retransmissions; for one connection, or for all of the place.
  void addChange(PlaceId place, const ChangeMark& mark);
  /// The connection must be known. Its last owner goes to takeReleasedOwners().
  void setOwner(ConnectionId id, std::uint32_t ownerIndex);
  /// Owners that connections have had since the last call, an entry for each use that ended.
  [[nodiscard]] std::vector<std::uint32_t> takeReleasedOwners() { return std::exchange(m_releasedOwners, {}); }
  void setLiveOptions(const LiveOptionsObservation& observed);
  void setProgramWaits(const ProgramWaitsObservation& observed);
  /// Marks connections that the dump found unchanged as idle; those idle for a whole window lose their activity.
  void dumpEnded(PlaceId place, Moment at);
  /// Polls of the place were missed: the next sample of a connection cannot refer to the poll before it.
  void pollsMissed(PlaceId place);
  /// The place is not polled any more: the state of its connections is outdated.
  void placeLost(PlaceId place);
  /// Connections of a lost place that have not been seen since.
  [[nodiscard]] std::vector<ConnectionId> unheard(PlaceId place) const;
  /// From now on the connections of this place count as those of a host that joined, until it is forgotten.
  void placeJoined(PlaceId place) { m_joined.insert(place); }
  /// Removes all connections of this place.
  void forget(PlaceId place);

  [[nodiscard]] const TrackedConnection* find(ConnectionId id) const { return m_table.find(id); }
  /// Null for an empty slot.
  [[nodiscard]] const TrackedConnection* inSlot(std::uint32_t slot) const { return m_table.inSlot(slot); }
  [[nodiscard]] std::size_t size() const { return m_table.size(); }
  [[nodiscard]] std::size_t slots() const { return m_table.slots(); }
  /// Only to prefetch from it what is needed soon.
  [[nodiscard]] const ConnectionTable& table() const { return m_table; }
  [[nodiscard]] CopyBytes copyBytes() const;
  /// Up to when this connection was seen: its last sample, or a later dump that found it unchanged.
  [[nodiscard]] Moment seenUntil(const TrackedConnection& tracked) const;

  /// Connections without a record, and samples without statistics or dropped from records, since the last call, by
  /// place: a budget is used up.
  [[nodiscard]] std::map<PlaceId, std::uint64_t> takeLeftOut() { return std::exchange(m_leftOut, {}); }
  /// What the records take.
  [[nodiscard]] std::size_t recordBytes() const { return m_recordBytes; }
  /// Of the connection in this slot, since the last call.
  [[nodiscard]] std::uint32_t takeLossEvents(std::uint32_t slot);
  /// Slots that were added, changed or removed since the last call, each once.
  [[nodiscard]] std::vector<std::uint32_t> takeTouched();

private:
  /// A connection whose last step was silence, and when its window changes next unless it is sampled before.
  struct SilentConnection {
    std::uint32_t slot = kNoSlot;
    Moment changesAt;
  };
  /// The connections of one place that its next dump may find silent.
  struct MayBeSilent {
    /// Slots of those with activity.
    std::vector<std::uint32_t> active;
    /// The others with activity: until then a dump does not even read their data.
    std::vector<SilentConnection> silent;
    /// Slots of connections seen only once: the next dump shows whether they are idle.
    std::vector<std::uint32_t> seenOnce;
  };

  TrackedConnection* start(const SocketObservation& first);
  void letSilencePass(PlaceId place, Moment at);
  /// Of a connection that was just sampled, letSilencePass() reads nothing but its state.
  void prefetchForSilence(std::uint32_t slot) const {
    const TrackedConnection* tracked = m_table.inSlot(slot);
    const bool isSilent = tracked != nullptr && seenUntil(*tracked) > tracked->last.takenAt();
    isSilent ? m_table.prefetchData(slot) : m_table.prefetchState(slot);
  }
  /// Counts the time since its last sample as silence. False if it has no activity any more.
  bool passSilence(TrackedConnection& tracked);
  void keepLast(TrackedConnection& tracked, const SocketObservation& sample);
  template <class Change>
  void changeLast(TrackedConnection& tracked, Change&& change);
  /// False where the budget of connections has no space for it.
  bool startActivity(TrackedConnection& tracked, Moment from);
  void endActivity(TrackedConnection& tracked);
  /// False where the budget of records has no space for it.
  bool watch(TrackedConnection& tracked, const SocketObservation& first);
  void unwatch(TrackedConnection& tracked);
  /// Counts what the connection's record takes, and takes from it what all of them have too much.
  void countRecord(TrackedConnection& tracked);
  void countRecordIfDue(TrackedConnection& tracked) {
    if (tracked.watched->countIsDue()) countRecord(tracked);
  }
  /// Calls `use` with the full records of connections of these addresses that were not closed before.
  template <class Use>
  void inRecords(const FourTuple& addresses, Moment at, Use&& use);
  /// Samples that are newer than its last one, in order of time.
  void takeSteps(TrackedConnection& tracked, std::span<const SocketObservation> samples);
  void takeStep(TrackedConnection& tracked, const SocketObservation& last, const SocketObservation& now);
  void dropOldestClosed();
  void stop(const TrackedConnection& tracked);
  void releaseOwner(const TrackedConnection& tracked);
  /// Calls `use` with each connection of the place.
  template <class Use>
  void ofPlace(PlaceId place, Use&& use);
  void forgetAddresses(const TrackedConnection& tracked);
  [[nodiscard]] const TrackedConnection* findEnded(const SocketObservation& socket) const;
  void touch(std::uint32_t slot);
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
  SpareActivities m_spares;
  DumpTimes m_dumps;
  std::deque<ConnectionId> m_closed;
  /// Connections that are closed, or of which only TIME-WAIT was seen.
  AddressIndex m_ended;
  /// All connections, if every connection keeps its history.
  AddressIndex m_byAddresses;
  RecentEvents m_recentEvents;
  std::set<PlaceId> m_joined;
  TableUse m_used;
  std::size_t m_recordBytes = 0;
  std::map<PlaceId, std::uint64_t> m_leftOut;
  /// Of histories of removed connections: earlier snapshots may share them.
  std::size_t m_goneHistoryBytes = 0;
  /// By place, so that the dumps of many namespaces do not each go through the connections of all.
  std::map<PlaceId, MayBeSilent> m_mayBeSilent;
  std::vector<std::uint32_t> m_releasedOwners;
  std::vector<std::uint32_t> m_touched;
  std::vector<bool> m_isTouched;
};

}  // namespace tcpscope
