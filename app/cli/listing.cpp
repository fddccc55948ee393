#include "app/cli/listing.h"

#include <unistd.h>

#include <future>

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "app/remote/polled_agent.h"
#include "app/session/background_queue.h"
#include "app/session/other_namespaces.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/session/listener_table.h"

namespace tcpscope {

namespace {

Expected<Listing, SystemError> dumpOnce(const LocalPlace& place, const ConnectionFilter& filter) {
  auto poller = openPoller(place);
  if (!poller) return Unexpected<SystemError>(poller.error());
  (*poller)->setFilter(filter.stateMask(), filter.root());
  Listing listing;
  listing.places = {place.place};
  const ObservationSink sink = [&](ObservationBatch&& batch) {
    if (batch.appeared) listing.places.push_back(*batch.appeared);
    listing.gaps.insert(listing.gaps.end(), batch.gaps.begin(), batch.gaps.end());
    listing.take(std::move(batch.changed));
    return true;
  };
  (*poller)->pollOnce(sink);
  if (place.andOthers) {
    OtherNamespaces others(place);
    others.setFilter(filter.stateMask(), filter.root());
    others.poll(sink);
    listing.mayMissNamespaces = others.mayBeMore();
  }
  if ((*poller)->isBroken()) return Unexpected<SystemError>({SystemAttempt::listSockets, 0, {}});
  listing.time = wallNow();
  return listing;
}

Listing listingOf(const SessionSnapshot& snapshot, const AnalysisSession& session, WallTime time) {
  Listing listing;
  listing.places = snapshot.places;
  listing.time = time;
  listing.gaps = snapshot.gaps;
  std::vector<SocketObservation> sockets;
  sockets.reserve(snapshot.order->size() + snapshot.listeners.size());
  for (const std::uint32_t slot : *snapshot.order) {
    // One after the other: the details of all of them would take some 4 KB each.
    const auto detail = session.detail(snapshot.id(slot));
    if (!detail || detail->row.closed) continue;
    sockets.push_back(detail->socket);
    if (detail->owner) listing.reportedOwners.emplace(detail->socket.id, detail->owner);
  }
  for (const ListenerRow& listener : snapshot.listeners) {
    sockets.push_back(observationOf(listener));
    if (listener.owner) listing.reportedOwners.emplace(listener.id, listener.owner);
  }
  listing.take(std::move(sockets));
  return listing;
}

/// Goes through the processes on a thread of its own.
class OwnerScan {
public:
  OwnerScan() {
    m_queue.post([this](const std::stop_token&) { m_owners.set_value(OwnerLookup().everyone()); });
  }
  OwnerLookup::Owners take() { return m_owners.get_future().get(); }

private:
  std::promise<OwnerLookup::Owners> m_owners;
  // Last: its thread ends before what it fills goes.
  BackgroundQueue m_queue;
};

/// A socket that was opened during the scan, in an accessible process, is searched once more.
void findOwners(Listing& listing, OwnerScan& scan) {
  listing.owners = scan.take();
  const std::uint32_t user = geteuid();
  std::vector<std::uint32_t> missing;
  for (const auto* sockets : {&listing.connections, &listing.listeners}) {
    for (const SocketObservation* socket : *sockets) {
      const bool mayBeSeen = user == 0 || socket->userId == user;
      if (socket->inode != 0 && mayBeSeen && !listing.owners.contains(socket->inode)) missing.push_back(socket->inode);
    }
  }
  if (!missing.empty()) listing.owners.merge(OwnerLookup().lookup(missing));
}

void keepMatching(Listing& listing, const ConnectionFilter& filter) {
  if (!filter.root()) return;
  const auto isOther = [&](const SocketObservation* socket) {
    const auto owner = listing.ownerOf(*socket);
    return !filter.matches({*socket, owner.get(), nullptr, Limit::unknown});
  };
  std::erase_if(listing.connections, isOther);
  std::erase_if(listing.listeners, isOther);
}

}  // namespace

void Listing::hide(Anonymizer& anonymizer) {
  for (Place& place : places) anonymizer.hide(place);
  std::unordered_map<ConnectionId, std::shared_ptr<const Owner>> shown;
  for (const Sockets* sockets : {&listeners, &connections}) {
    for (const SocketObservation* socket : *sockets) {
      if (const auto owner = ownerOf(*socket)) shown.emplace(socket->id, anonymizer.hidden(owner));
    }
  }
  owners.clear();
  reportedOwners = std::move(shown);
  for (std::vector<SocketObservation>& batch : batches) {
    for (SocketObservation& socket : batch) anonymizer.hide(socket);
  }
}

Expected<Listing, SystemError> takeListing(const LocalPlace& place, const ConnectionFilter& filter, bool withOwners) {
  std::optional<OwnerScan> owners;
  if (withOwners) owners.emplace();
  auto listing = dumpOnce(place, filter);
  if (!listing) return listing;
  const bool filterNeedsOwners = asksForProcess(filter);
  if (!filterNeedsOwners) keepMatching(*listing, filter);
  if (owners) findOwners(*listing, *owners);
  if (filterNeedsOwners) keepMatching(*listing, filter);
  return listing;
}

Expected<Listing, SystemError> takeRecorded(const std::string& path, const ConnectionFilter& filter) {
  const auto session = RecordedSession::read(path, {});
  if (!session) return Unexpected<SystemError>(session.error());
  reportDamage(path, (*session)->facts());
  const auto snapshot = (*session)->atEnd();
  auto listing = listingOf(*snapshot, (*session)->session(), (*session)->endedAt());
  keepMatching(listing, filter);
  return listing;
}

Expected<Listing, SystemError> takeThere(std::string_view address, AgentMeans means, const ConnectionFilter& filter,
                                         bool withOwners) {
  SessionControl control;
  control.listInterval = Milliseconds(300);
  const auto agent = PolledAgent::reach(address, means, control, {});
  if (!agent) return Unexpected<SystemError>(agent.error());
  const Interruption interruption;
  // ss reports no owners to wait for.
  int polls = withOwners && means != AgentMeans::throughSs ? 2 : 1;
  const auto heard =
      (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                     [&](const ObservationBatch& batch) { return (*agent)->endsDump(batch) && --polls <= 0; });
  if (!heard) return Unexpected<SystemError>(heard.error());
  const auto snapshot = (*agent)->session().tick(monotonicNow());
  auto listing = listingOf(*snapshot, (*agent)->session(), wallNow());
  keepMatching(listing, filter);
  return listing;
}

}  // namespace tcpscope
