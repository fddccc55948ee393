#include "app/session/other_namespaces.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "collectors/host/sysctl_facts.h"
#include "collectors/owner/process_reader.h"
#include "collectors/sock_diag/slot_schedule.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

constexpr std::chrono::seconds kBetweenPolls{5};

/// Its name, else that of the container that its first process is in, else its inode as lsns shows it.
std::string labelOf(const ListedNamespace& listed) {
  if (listed.name) return *listed.name;
  if (listed.pid) {
    if (const auto container = ProcessReader("/proc").unitOrContainer(*listed.pid)) return container->rawBytes();
  }
  return std::to_string(listed.inode);
}

std::string nameOrPid(const ListedNamespace& listed) {
  return listed.pid ? std::to_string(*listed.pid) : listed.name.value_or(std::string());
}

/// False where it found no room.
bool report(const Place& place, PlaceTurn turn, const ObservationSink& sink) {
  ObservationBatch batch;
  batch.place = place.id;
  batch.turn = turn;
  if (turn == PlaceTurn::appeared) {
    batch.appeared = std::make_shared<const Place>(place);
    batch.appearedHere = true;
    batch.settings = place.settings;
  }
  return sink(std::move(batch));
}

class OtherNamespacesCollector final : public Collector {
public:
  explicit OtherNamespacesCollector(const LocalPlace& own) : m_namespaces(own) {}

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
  m_stateMask = stateMask;
  m_filter = std::move(filter);
  for (auto& [inode, entered] : m_entered) {
    if (entered.poller) entered.poller->setFilter(m_stateMask, m_filter);
  }
}

OtherNamespaces::Entered OtherNamespaces::enter(const ListedNamespace& listed) {
  const auto where = NetworkNamespace::parse(nameOrPid(listed));
  if (!where) return {};
  Entered entered{nullptr, where, m_own.place};
  entered.place.id = PlaceId{m_nextNumber};
  entered.place.networkNamespace = labelOf(listed);
  SockDiagSettings settings = m_own.settings;
  settings.place = entered.place.id;
  auto poller = SockDiagPoller::open(sockDiagAccessIn(*where), settings);
  if (!poller) return {};
  ++m_nextNumber;
  entered.poller = std::move(*poller);
  entered.poller->setFilter(m_stateMask, m_filter);
  return entered;
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
    // What finds no room in the queue is said at the next poll.
    if (isListed(known->first) || (entered.isReported && !report(entered.place, PlaceTurn::left, sink))) {
      ++known;
      continue;
    }
    if (entered.isReported) m_vanished.push_back(entered.place.networkNamespace);
    known = m_entered.erase(known);
  }
  for (const ListedNamespace& listed : now.others) {
    if (m_entered.contains(listed.inode)) continue;
    const Entered& entered = m_entered.emplace(listed.inode, enter(listed)).first->second;
    if (!entered.poller) m_mayBeMore = true;
  }
}

void OtherNamespaces::poll(const ObservationSink& sink) {
  if (const Moment now = m_own.access.now(); now >= m_nextAt) {
    m_nextAt = now + kBetweenPolls;
    listAgain(sink);
  }
  for (auto& [inode, entered] : m_entered) {
    if (!entered.poller || entered.poller->isBroken()) continue;
    const ObservationSink placed = [&sink, &one = entered](ObservationBatch&& batch) {
      if (!one.isReported && batch.changed.empty()) return true;
      if (!one.isReported) {
        one.place.settings = std::make_shared<const SysctlValues>(sysctlValues(readSysctlFactsIn(*one.where)));
        one.isReported = report(one.place, PlaceTurn::appeared, sink);
      }
      return one.isReported && sink(std::move(batch));
    };
    entered.poller->takeDestroyed(placed);
    entered.poller->pollOnce(placed);
  }
}

std::unique_ptr<Collector> collectorOfOtherNamespaces(const LocalPlace& own) {
  return std::make_unique<OtherNamespacesCollector>(own);
}

}  // namespace tcpscope
