#include "app/session/other_namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "collectors/host/sysctl_facts.h"
#include "collectors/owner/process_reader.h"
#include "collectors/sock_diag/network_namespace.h"
#include "collectors/sock_diag/slot_schedule.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kBetweenListings{5};
/// Of a namespace where nothing was opened meanwhile.
constexpr std::chrono::seconds kBetweenDumps{30};
/// As many requests cost about as much as a dump whose walk finds no socket of the namespace.
constexpr std::size_t kMostAsked = 400;

/// That of its first process, where it has no name.
std::string containerOf(const ListedNamespace& listed) {
  if (listed.name || !listed.pid) return {};
  const auto container = ProcessReader("/proc").unitOrContainer(*listed.pid);
  return container ? container->rawBytes() : std::string();
}

/// A name stays when processes end.
std::string pathOf(const ListedNamespace& listed) {
  return listed.name ? "/run/netns/" + *listed.name : fmt::format("/proc/{}/ns/net", listed.pid.value_or(0));
}

bool isForbidden(int number) {
  return number == EACCES || number == EPERM;
}

class OtherNamespacesCollector final : public Collector {
public:
  OtherNamespacesCollector(const LocalPlace& own, std::shared_ptr<NamespaceRegister> known)
      : m_namespaces(own, std::move(known)) {}

  [[nodiscard]] CollectorDescription describe() const override {
    return {"namespaces", "the TCP sockets of this host's other network namespaces"};
  }

  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override {
    SlotSchedule schedule;
    accept(requests.take(), schedule);
    while (!stop.stop_requested()) {
      if (waitUntil(schedule.next(), requests.wakeDescriptor())) {
        accept(requests.take(), schedule);
        continue;
      }
      const Moment began = monotonicNow();
      schedule.take(began);
      m_namespaces.poll(sink);
      // Dumps may take a quarter of the time, as those of the own namespace.
      const Moment earliest = began + (monotonicNow() - began) * 4;
      while (schedule.next() < earliest) schedule.take(earliest);
    }
  }

private:
  void accept(const CollectorRequest& request, SlotSchedule& schedule) {
    m_namespaces.setFilter(request.stateMask, request.filter);
    schedule.start(monotonicNow(), std::max<Nanoseconds>(request.listInterval, std::chrono::milliseconds(10)));
  }

  /// True where a request or a stop came before.
  static bool waitUntil(Moment moment, int wakeDescriptor) {
    const Nanoseconds left = std::max(moment - monotonicNow(), Nanoseconds(0));
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{whole.count(), (left - whole).count()};
    pollfd entry{wakeDescriptor, POLLIN, 0};
    return ppoll(&entry, 1, &timeout, nullptr) > 0;
  }

  OtherNamespaces m_namespaces;
};

}  // namespace

void OtherNamespaces::setFilter(std::uint32_t stateMask, FilterPointer filter) {
  if (stateMask == m_stateMask && filter == m_filter) return;
  m_stateMask = stateMask;
  m_filter = std::move(filter);
  for (auto& [inode, entered] : m_entered) {
    if (entered.poller) entered.poller->setFilter(m_stateMask, m_filter);
    entered.isComplete = false;
    entered.isSettled = false;
  }
}

PlaceId OtherNamespaces::newPlace(std::uint64_t inode) {
  // The kernel gives an inode again, and what is recorded or captured of the old namespace must not go on as the new.
  if (m_numbers.all()) {
    m_numbers.reset();
    for (const auto& [known, entered] : m_entered) {
      const auto number = namespaceNumber(entered.place.id, m_own.place.id);
      if (number) m_numbers.set(*number);
    }
  }
  std::uint32_t number = static_cast<std::uint32_t>(inode % kMostNamespaces);
  while (m_numbers.test(number)) number = (number + 1) % kMostNamespaces;
  m_numbers.set(number);
  return placeOfNamespace(m_own.place.id, number);
}

std::optional<OtherNamespaces::Entered> OtherNamespaces::enter(const ListedNamespace& listed) {
  Entered entered;
  entered.descriptor = OwnedDescriptor(open(pathOf(listed).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  entered.place = m_own.place;
  if (entered.descriptor.get() < 0) return isForbidden(errno) ? std::optional(std::move(entered)) : std::nullopt;
  if (!isNetworkNamespace(entered.descriptor, listed.inode)) return std::nullopt;
  if (m_entered.size() >= kMostNamespaces - 1) return std::nullopt;
  entered.place.id = newPlace(listed.inode);
  entered.place.networkNamespace = listed.name.value_or(std::to_string(listed.inode));
  entered.place.container = containerOf(listed);
  SockDiagSettings settings = m_own.settings;
  settings.place = entered.place.id;
  auto poller = SockDiagPoller::open(sockDiagAccessIn(NetworkNamespace::of(entered.descriptor)), settings);
  if (!poller) return isForbidden(poller.error().number) ? std::optional(std::move(entered)) : std::nullopt;
  entered.poller = std::move(*poller);
  entered.counters = NamespaceCounters::in(NetworkNamespace::of(entered.descriptor));
  entered.poller->setFilter(m_stateMask, m_filter);
  return entered;
}

bool OtherNamespaces::report(const Entered& entered, PlaceTurn turn, const ObservationSink& sink) {
  const Place& place = entered.place;
  ObservationBatch batch;
  batch.place = place.id;
  batch.turn = turn;
  if (turn == PlaceTurn::appeared) {
    batch.appeared = std::make_shared<const Place>(place);
    batch.appearedHere = true;
    batch.settings = place.settings;
  }
  // Before the window can select a connection there.
  if (m_register && turn == PlaceTurn::appeared) m_register->add(place.id, entered.descriptor);
  const bool isTaken = sink(std::move(batch));
  const bool isKnown = turn == PlaceTurn::appeared ? isTaken : !isTaken;
  if (m_register && !isKnown) m_register->remove(place.id);
  return isTaken;
}

void OtherNamespaces::listAgain(const ObservationSink& sink) {
  const NetworkNamespaceList now = listNetworkNamespaces();
  m_mayBeMore = m_mayBeMore || now.mayBeMore;
  const auto isListed = [&now](std::uint64_t inode) {
    return std::any_of(now.others.begin(), now.others.end(),
                       [inode](const ListedNamespace& one) { return one.inode == inode; });
  };
  for (auto known = m_entered.begin(); known != m_entered.end();) {
    const Entered& entered = known->second;
    const bool isOver = !isListed(known->first) || (entered.poller && entered.poller->isBroken());
    // What finds no room in the queue is said at the next poll.
    if (!isOver || (entered.isReported && !report(entered, PlaceTurn::left, sink))) {
      ++known;
      continue;
    }
    if (entered.isReported) m_vanished.push_back(entered.place.namespaceLabel());
    known = m_entered.erase(known);
  }
  for (const ListedNamespace& listed : now.others) {
    if (m_entered.contains(listed.inode)) continue;
    auto entered = enter(listed);
    m_mayBeMore = m_mayBeMore || (entered && !entered->poller);
    if (entered) m_entered.emplace(listed.inode, std::move(*entered));
  }
}

bool OtherNamespaces::mayBeAsked(const Entered& entered, const NamespaceCounters::SinceLast& since, Moment now) const {
  // Under a filter for states a known connection may begin to match.
  return entered.isComplete && since.nothingOpened && m_stateMask == kEveryState && now >= entered.askAgainAt &&
         entered.poller->table().size() <= kMostAsked;
}

bool OtherNamespaces::askForKnown(Entered& entered, const ObservationSink& sink) {
  // Reading the counters costs as much as so many requests.
  constexpr std::size_t kFewOthers = 8;
  bool isWorthwhile = false;
  bool isWhole = false;
  std::optional<SegmentCounts> counted;
  SockDiagPoller::KnownPoll how;
  how.isFirst = [&entered](std::uint64_t cookie) { return entered.account.isActive(cookie); };
  how.areOthersUnchanged = [&](std::size_t others) {
    isWorthwhile = others > kFewOthers;
    if (isWorthwhile) counted = entered.counters.segmentsNow();
    isWhole = entered.account.isWhole(counted);
    return isWhole;
  };
  const bool areAllThere = entered.poller->pollKnown(sink, how);
  // Where the others were asked for, too, it is later by now.
  if (isWorthwhile && !isWhole) counted = entered.counters.segmentsNow();
  entered.account.endPoll(counted);
  return areAllThere;
}

void OtherNamespaces::pollOne(Entered& entered, Moment now, bool isListingDue, const ObservationSink& sink) {
  // Before the sockets: what happens meanwhile counts for the next poll.
  const NamespaceCounters::SinceLast since = entered.counters.sinceLast();
  bool isEnded = false;
  bool mayMissSome = false;
  bool hasNews = false;
  const ObservationSink placed = [&](ObservationBatch&& batch) {
    isEnded = isEnded || batch.dumpEndedAt.has_value();
    mayMissSome = mayMissSome || !batch.gaps.empty() || !batch.closed.empty();
    hasNews = hasNews || !batch.changed.empty();
    if (!entered.isReported && batch.changed.empty() && batch.gaps.empty()) return true;
    if (!entered.isReported) {
      entered.place.settings = std::make_shared<const SysctlValues>(
          sysctlValues(readSysctlFactsIn(NetworkNamespace::of(entered.descriptor))));
      entered.isReported = report(entered, PlaceTurn::appeared, sink);
    }
    for (const SocketObservation& socket : batch.changed) entered.account.take(socket);
    for (const ClosedSocket& closed : batch.closed) entered.account.forget(closed.id.cookie);
    const bool isTaken = entered.isReported && sink(std::move(batch));
    mayMissSome = mayMissSome || !isTaken;
    return isTaken;
  };
  if (entered.poller->table().size() > kMostAsked) entered.account = {};
  entered.account.beginPoll(entered.counters.lastSegments());
  entered.poller->takeDestroyed(placed);
  // The first socket of a namespace may be a listener.
  const bool mayHaveBegun = isListingDue && entered.poller->table().size() == 0;
  const bool isDumpDue = now >= entered.dumpDueAt || mayHaveBegun;
  if (!isDumpDue && since.nothingMoved && entered.isSettled) {
    entered.poller->reportUnchanged(placed);
    entered.isSettled = !mayMissSome;
    return;
  }
  if (isDumpDue || !mayBeAsked(entered, since, now)) {
    entered.poller->pollOnce(placed);
    entered.account.endPoll(entered.counters.segmentsNow());
    // Not all of them at once: each has its own second.
    const Nanoseconds phase = (now - Moment() + std::chrono::seconds(entered.place.id.number)) % kBetweenDumps;
    entered.dumpDueAt = now + kBetweenDumps - phase;
  } else if (!askForKnown(entered, placed)) {
    mayMissSome = true;
    entered.askAgainAt = entered.dumpDueAt;
  }
  entered.isComplete = isEnded && !mayMissSome;
  entered.isSettled = entered.isComplete && since.nothingMoved && !hasNews;
}

void OtherNamespaces::poll(const ObservationSink& sink) {
  const Moment now = m_own.access.now();
  const bool isListingDue = now >= m_nextAt;
  if (isListingDue) {
    m_nextAt = now + kBetweenListings;
    listAgain(sink);
  }
  for (auto& [inode, entered] : m_entered) {
    if (!entered.poller || entered.poller->isBroken()) continue;
    if (entered.isReported || isListingDue) pollOne(entered, now, isListingDue, sink);
  }
}

std::unique_ptr<Collector> collectorOfOtherNamespaces(const LocalPlace& own, std::shared_ptr<NamespaceRegister> known) {
  return std::make_unique<OtherNamespacesCollector>(own, std::move(known));
}

}  // namespace tcpscope
