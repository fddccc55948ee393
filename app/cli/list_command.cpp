// `list`: one dump, no analysis; only what is printed is made.
#include <unistd.h>

#include <algorithm>
#include <future>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/text_output.h"
#include "app/remote/polled_agent.h"
#include "app/session/background_queue.h"
#include "app/session/local_place.h"
#include "app/session/recorded_session.h"
#include "collectors/owner/owner_lookup.h"
#include "collectors/sock_diag/netlink_socket.h"
#include "core/report/connections_document.h"
#include "core/text/escape.h"

namespace tcpscope {

namespace {

using Sockets = std::vector<const SocketObservation*>;

struct Listing {
  Place place;
  WallTime time;
  /// As the collector handed them on: nothing is copied, what is shown points into them.
  std::vector<std::vector<SocketObservation>> batches;
  Sockets connections;
  Sockets listeners;
  std::vector<CollectionGap> gaps;
  /// By inode.
  OwnerLookup::Owners owners;
  /// By connection, where somebody else looked for them: an agent, or whoever recorded.
  std::unordered_map<ConnectionId, std::shared_ptr<const Owner>> toldOwners;

  [[nodiscard]] std::shared_ptr<const Owner> ownerOf(const SocketObservation& socket) const {
    if (const auto told = toldOwners.find(socket.id); told != toldOwners.end()) return told->second;
    const auto found = owners.find(socket.inode);
    return found == owners.end() ? nullptr : found->second;
  }
  void take(std::vector<SocketObservation> sockets) {
    for (const SocketObservation& socket : batches.emplace_back(std::move(sockets))) {
      (socket.state == TcpState::listen ? listeners : connections).push_back(&socket);
    }
  }
};

Expected<Listing, SystemError> takeListing(const LocalPlace& place, const ConnectionFilter& filter) {
  auto poller = openPoller(place);
  if (!poller) return Unexpected<SystemError>(poller.error());
  (*poller)->setFilter(filter.stateMask(), filter.root());
  Listing listing;
  listing.place = place.place;
  (*poller)->pollOnce([&](ObservationBatch&& batch) {
    listing.gaps.insert(listing.gaps.end(), batch.gaps.begin(), batch.gaps.end());
    listing.take(std::move(batch.changed));
    return true;
  });
  if ((*poller)->isBroken()) return Unexpected<SystemError>({SystemAttempt::listSockets, 0, {}});
  listing.time = wallNow();
  return listing;
}

Listing listingOf(const SessionSnapshot& snapshot, const std::vector<std::shared_ptr<const ConnectionDetail>>& details,
                  WallTime time) {
  Listing listing;
  listing.place = snapshot.places.front();
  listing.time = time;
  listing.gaps = snapshot.gaps;
  std::vector<SocketObservation> sockets;
  for (const auto& detail : details) {
    if (detail->row.closed) continue;
    sockets.push_back(detail->socket);
    if (detail->owner) listing.toldOwners.emplace(detail->socket.id, detail->owner);
  }
  for (const ListenerRow& listener : snapshot.listeners) {
    SocketObservation socket;
    socket.id = listener.id;
    socket.state = TcpState::listen;
    socket.local = listener.local;
    socket.receiveQueue = Bytes(listener.acceptQueue);
    socket.sendQueue = Bytes(listener.backlog);
    sockets.push_back(socket);
    if (listener.owner) listing.toldOwners.emplace(listener.id, listener.owner);
  }
  listing.take(std::move(sockets));
  return listing;
}

/// What was there when the recording ended.
Expected<Listing, SystemError> takeRecorded(const std::string& path) {
  const auto session = RecordedSession::read(path, {});
  if (!session) return Unexpected<SystemError>(session.error());
  const auto snapshot = (*session)->atEnd();
  return listingOf(*snapshot, (*session)->details(*snapshot), (*session)->endedAt());
}

/// What the agent of another host shows in its first look; the second one comes behind the owners.
Expected<Listing, SystemError> takeThere(std::string_view address, bool withOwners) {
  SessionControl control;
  control.listInterval = Milliseconds(300);
  const auto agent = PolledAgent::reach(address, control, {});
  if (!agent) return Unexpected<SystemError>(agent.error());
  const Interruption interruption;
  int looks = withOwners ? 2 : 1;
  (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                 [&](const ObservationBatch& batch) { return batch.dumpEndedAt && --looks <= 0; });
  const auto snapshot = (*agent)->session().tick(monotonicNow());
  return listingOf(*snapshot, detailsOf((*agent)->session(), *snapshot), wallNow());
}

/// Goes through the processes on a thread of its own while the sockets are dumped: on many connections either takes as
/// long as the other.
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

/// A socket that was opened behind the back of the scan, in a process that may be read, is looked for once more.
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

void appendOwner(TextBuffer& text, const Owner* owner) {
  if (owner == nullptr) return append(text, "-");
  append(text, forTerminal(owner->processName));
  append(text, " (");
  appendNumber(text, owner->pid);
  if (owner->userName) {
    append(text, ", ");
    append(text, forTerminal(*owner->userName));
  }
  text.push_back(')');
}

void addConnection(TextTable& table, const Listing& listing, const SocketObservation& socket, bool withOwners) {
  const auto count = [&](auto value) {
    if (value) {
      appendNumber(table.cell(), value->value());
    } else {
      table.cell().push_back('-');
    }
    table.endCell();
  };
  const auto bytes = [&](std::optional<Bytes> value) {
    if (value) {
      appendBytes(table.cell(), value->value());
    } else {
      table.cell().push_back('-');
    }
    table.endCell();
  };
  append(table.cell(), name(socket.state));
  table.endCell();
  bytes(socket.receiveQueue);
  bytes(socket.sendQueue);
  appendEndpoint(table.cell(), socket.local);
  table.endCell();
  appendEndpoint(table.cell(), socket.remote);
  table.endCell();
  if (const auto rtt = socket.info.rtt(); rtt && rtt->count() > 0) {
    appendMilliseconds(table.cell(), static_cast<std::uint64_t>(rtt->count()));
  } else {
    table.cell().push_back('-');
  }
  table.endCell();
  count(socket.info.sndCwnd());
  count(socket.info.totalRetrans());
  bytes(socket.info.bytesAcked());
  bytes(socket.info.bytesReceived());
  append(table.cell(), socket.congestionControl.empty() ? "-" : socket.congestionControl.text());
  table.endCell();
  if (withOwners) {
    appendOwner(table.cell(), listing.ownerOf(socket).get());
    table.endCell();
  }
}

void appendListeners(TextBuffer& out, const Listing& listing, bool withOwners) {
  if (listing.listeners.empty()) return;
  std::vector<Column> columns = {{"LISTENER"}, {"WAITING", true}, {"BACKLOG", true}};
  if (withOwners) columns.push_back({"PROCESS"});
  TextTable table(std::move(columns));
  for (const SocketObservation* socket : listing.listeners) {
    appendEndpoint(table.cell(), socket->local);
    table.endCell();
    appendNumber(table.cell(), socket->receiveQueue.value());
    table.endCell();
    appendNumber(table.cell(), socket->sendQueue.value());
    table.endCell();
    if (withOwners) {
      appendOwner(table.cell(), listing.ownerOf(*socket).get());
      table.endCell();
    }
  }
  table.print(out);
}

ExitCode writeTables(const Listing& listing, bool withOwners) {
  std::vector<Column> columns = {{"STATE"},      {"RECV-Q", true},   {"SEND-Q", true}, {"LOCAL"},
                                 {"REMOTE"},     {"RTT", true},      {"CWND", true},   {"RETRANS", true},
                                 {"SENT", true}, {"RECEIVED", true}, {"CONTROL"}};
  if (withOwners) columns.push_back({"PROCESS"});
  TextTable table(std::move(columns));
  table.reserveRows(listing.connections.size());
  for (const SocketObservation* socket : listing.connections) addConnection(table, listing, *socket, withOwners);
  TextBuffer out;
  appendListeners(out, listing, withOwners);
  if (table.rows() == 0) return writeOut({out.data(), out.size()});
  if (out.size() > 0) out.push_back('\n');
  return table.write(out);
}

ConnectionDetail detailOf(const Listing& listing, const SocketObservation& socket) {
  ConnectionDetail detail;
  detail.row.id = socket.id;
  detail.row.local = socket.local;
  detail.row.remote = socket.remote;
  detail.row.state = socket.state;
  detail.owner = listing.ownerOf(socket);
  detail.socket = socket;
  return detail;
}

template <class ToText>
ExitCode writeConnections(TextBuffer& out, const Listing& listing, ToText toText) {
  for (const SocketObservation* socket : listing.connections) {
    append(out, toText(detailOf(listing, *socket)));
    if (out.size() < kBytesWrittenAtOnce) continue;
    if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
    out.clear();
  }
  return ExitCode::done;
}

ExitCode writeJsonLines(const Listing& listing) {
  TextBuffer out;
  const ExitCode code = writeConnections(out, listing, [&](const ConnectionDetail& detail) {
    return toJsonLine(detail, SampleEvent::sample, listing.time);
  });
  return code == ExitCode::done ? writeOut({out.data(), out.size()}) : code;
}

ExitCode writeJson(const Listing& listing) {
  ConnectionsDocument head;
  head.time = listing.time;
  head.places = {listing.place};
  head.gaps = listing.gaps;
  for (const SocketObservation* socket : listing.listeners) {
    head.listeners.push_back({socket->id, socket->local, socket->receiveQueue.value(), socket->sendQueue.value(),
                              listing.ownerOf(*socket), diagnoseListener(*socket)});
  }
  ConnectionsDocumentPieces pieces;
  TextBuffer out;
  append(out, pieces.begin(head));
  const ExitCode code =
      writeConnections(out, listing, [&](const ConnectionDetail& detail) { return pieces.connection(detail); });
  append(out, ConnectionsDocumentPieces::end());
  return code == ExitCode::done ? writeOut({out.data(), out.size()}) : code;
}

/// People look for a port; the kernel's order is that of a hash table.
void sortByPort(Sockets& sockets) {
  const auto key = [](const SocketObservation* socket) { return std::pair(socket->local.port, socket->remote.port); };
  std::sort(sockets.begin(), sockets.end(), [&](const auto* a, const auto* b) { return key(a) < key(b); });
}

/// Beyond this nobody reads line by line, and a script sorts as it likes.
constexpr std::size_t kSortedConnections = 5'000;

ExitCode writeText(const Listing& listing, bool withOwners, bool isFiltered) {
  if (!listing.connections.empty() || !listing.listeners.empty()) return writeTables(listing, withOwners);
  return isFiltered ? fail(ExitCode::notThere, "no connection matches the filter; 'tcpscope-cli list' shows all")
                    : fail(ExitCode::notThere, "there is no TCP connection and no listener here");
}

ExitCode write(const CommandOptions& options, const ConnectionFilter& filter, Listing& listing) {
  if (listing.connections.size() <= kSortedConnections) sortByPort(listing.connections);
  sortByPort(listing.listeners);
  switch (options.form()) {
    case OutputForm::text:
      return writeText(listing, !options.noResolve, filter.root() != nullptr);
    case OutputForm::json:
      return writeJson(listing);
    case OutputForm::jsonStream:
      break;
  }
  return writeJsonLines(listing);
}

ExitCode listOnce(const CommandOptions& options, const LocalPlace& place, const ConnectionFilter& filter) {
  std::optional<OwnerScan> owners;
  if (!options.noResolve) owners.emplace();
  auto listing = takeListing(place, filter);
  if (!listing) return fail(listing.error());
  const bool filterNeedsOwners = asksForProcess(filter);
  if (!filterNeedsOwners) keepMatching(*listing, filter);
  if (owners) findOwners(*listing, *owners);
  if (filterNeedsOwners) keepMatching(*listing, filter);
  return write(options, filter, *listing);
}

ExitCode listFrom(const CommandOptions& options, const ConnectionFilter& filter) {
  const auto address = options.sshAddress();
  auto listing = address ? takeThere(*address, !options.noResolve) : takeRecorded(*options.from);
  if (!listing) return fail(listing.error());
  keepMatching(*listing, filter);
  return write(options, filter, *listing);
}

}  // namespace

ExitCode listCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  if (options.from) return listFrom(options, *filter);
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  const Interruption interruption;
  Moment next = monotonicNow();
  for (std::uint64_t left = options.count.value_or(1); left > 0; --left) {
    const ExitCode code = listOnce(options, *place, *filter);
    if (code != ExitCode::done || left == 1) return code;
    next = next + options.interval();
    if (interruption.waitUntil(next) == Interruption::Wake::interrupted) break;
  }
  return ExitCode::done;
}

}  // namespace tcpscope
