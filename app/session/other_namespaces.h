// The sockets of this host's other network namespaces, each a place of its own: the slow transfer of a host may be in
// one of its 200 containers.
//
// One poller each, all driven by the caller's thread: a thread for each would cost more than the dumps of namespaces
// that are mostly small. Namespaces come and go with containers, so that now and then they are listed again.
//
// The kernel has one table for the sockets of all namespaces, and each dump walks all of it. While no connection was
// opened since, the sockets of a small namespace are asked for one by one instead: those that changed lately, and the
// others where these do not account for all segments of the namespace. It is left alone while no segment comes or
// leaves and the last poll found nothing changed: a sender that waits for its peer changes without a segment.
// A dump now and then finds what an application read meanwhile, new listeners and half-open connections.
#pragma once

#include <bitset>
#include <map>
#include <vector>

#include "app/session/local_place.h"
#include "app/session/namespace_register.h"
#include "collectors/host/network_namespace_list.h"
#include "collectors/sock_diag/namespace_counters.h"
#include "collectors/sock_diag/segment_account.h"
#include "collectors/source/collector.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

class OtherNamespaces {
public:
  /// `own` is the place of the caller's namespace. `known`, which may be null, has the places while they last.
  explicit OtherNamespaces(LocalPlace own, std::shared_ptr<NamespaceRegister> known = nullptr)
      : m_own(std::move(own)), m_register(std::move(known)) {}

  /// From the next dump on, as SockDiagPoller::setFilter().
  void setFilter(std::uint32_t stateMask, FilterPointer filter);
  /// Each that has sockets, and the others now and then. A namespace comes as a place before its first socket, and
  /// leaves when it vanishes: sandboxes of browsers have one each, and no sockets in them.
  void poll(const ObservationSink& sink);

  /// Some are, or may be, that this process must not enter.
  [[nodiscard]] bool mayBeMore() const { return m_mayBeMore; }
  /// The names of those that vanished since the last call.
  [[nodiscard]] std::vector<std::string> takeVanished() { return std::exchange(m_vanished, {}); }

private:
  struct Entered {
    /// Null where this process must not enter it; it is left alone then.
    std::unique_ptr<SockDiagPoller> poller;
    /// The namespace itself, whatever its processes and names become.
    OwnedDescriptor descriptor;
    Place place;
    NamespaceCounters counters;
    SegmentAccount account;
    bool isReported = false;
    /// All its sockets are known: the last poll was complete and taken, and no socket was gone.
    bool isComplete = false;
    /// The same, and nothing had changed.
    bool isSettled = false;
    /// Then, at the latest, comes a dump.
    Moment dumpDueAt;
    /// Until then requests do not find all of its sockets.
    Moment askAgainAt;
  };

  void listAgain(const ObservationSink& sink);
  /// By the inode, so that a namespace has the same one in the next program that observes it, too; another where it was
  /// given already.
  [[nodiscard]] PlaceId newPlace(std::uint64_t inode);
  /// Nothing where it has gone, or the system lacks something to enter it: then the next listing brings it again.
  [[nodiscard]] std::optional<Entered> enter(const ListedNamespace& listed);

  /// Asking for each of its sockets shows as much as a dump, and costs less.
  [[nodiscard]] bool mayBeAsked(const Entered& entered, const NamespaceCounters::SinceLast& since, Moment now) const;
  void pollOne(Entered& entered, Moment now, bool isListingDue, const ObservationSink& sink);
  /// As SockDiagPoller::pollKnown(), as few as show all.
  static bool askForKnown(Entered& entered, const ObservationSink& sink);
  /// False where the turn found no room.
  bool report(const Entered& entered, PlaceTurn turn, const ObservationSink& sink);

  LocalPlace m_own;
  std::shared_ptr<NamespaceRegister> m_register;
  std::uint32_t m_stateMask = kEveryState;
  FilterPointer m_filter;
  /// By inode.
  std::map<std::uint64_t, Entered> m_entered;
  /// Those that were given, until all were.
  std::bitset<kMostNamespaces> m_numbers;
  std::vector<std::string> m_vanished;
  Moment m_nextAt;
  bool m_mayBeMore = false;
};

/// The same as a collector, for a session with threads: one for all of them.
std::unique_ptr<Collector> collectorOfOtherNamespaces(const LocalPlace& own, std::shared_ptr<NamespaceRegister> known);

}  // namespace tcpscope
