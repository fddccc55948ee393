// `list`: one dump, no analysis; only what is printed is made.
#include <fmt/core.h>

#include <algorithm>

#include "app/cli/captured_list.h"
#include "app/cli/closed_connections.h"
#include "app/cli/command_options.h"
#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/listing.h"
#include "app/cli/text_output.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/model/current_rtt.h"
#include "core/present/json/connections_document.h"
#include "core/present/text/rtt_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

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
  if (listing.places.size() > 1) {
    append(table.cell(), namespaceText(listing.places, socket.id.place));
    table.endCell();
  }
  append(table.cell(), name(socket.state));
  table.endCell();
  bytes(socket.receiveQueue);
  bytes(socket.sendQueue);
  appendEndpoint(table.cell(), socket.local);
  table.endCell();
  appendEndpoint(table.cell(), socket.remote);
  table.endCell();
  if (const auto rtt = currentRtt(socket.info)) {
    appendMilliseconds(table.cell(), static_cast<std::uint64_t>(rtt->time.count()));
    append(table.cell(), ageMarking(rtt->isOld));
  } else {
    table.cell().push_back('-');
  }
  table.endCell();
  count(socket.info.sndCwnd());
  count(socket.info.totalRetrans());
  bytes(socket.info.bytesAcked());
  bytes(socket.info.bytesReceived());
  append(table.cell(), socket.congestionControl.empty() ? "-" : forTerminal(socket.congestionControl.text()));
  table.endCell();
  if (withOwners) {
    appendOwner(table.cell(), listing.ownerOf(socket).get());
    table.endCell();
  }
}

void appendListeners(TextBuffer& out, const Listing& listing, bool withOwners) {
  if (listing.listeners.empty()) return;
  std::vector<Column> columns = {{"LISTENER", false, 13}, {"WAITING", true}, {"BACKLOG", true}};
  const bool hasPlaces = listing.places.size() > 1;
  if (hasPlaces) columns.insert(columns.begin(), {"NETNS", false, 6, 2});
  if (withOwners) columns.push_back({"PROCESS", false, 8, 1});
  TextTable table(std::move(columns));
  for (const SocketObservation* socket : listing.listeners) {
    if (hasPlaces) {
      append(table.cell(), namespaceText(listing.places, socket->id.place));
      table.endCell();
    }
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
  table.print(out, terminalWidth());
}

ExitCode writeTables(const Listing& listing, bool withOwners) {
  std::vector<Column> columns = {{"STATE"},
                                 {"RECV-Q", true, 0, 2},
                                 {"SEND-Q", true, 0, 3},
                                 {"LOCAL", false, 10},
                                 {"REMOTE", false, 13},
                                 {"RTT", true},
                                 {"CWND", true, 0, 4},
                                 {"RETRANS", true},
                                 {"SENT", true},
                                 {"RECEIVED", true},
                                 {"CONTROL", false, 0, 1}};
  if (listing.places.size() > 1) columns.insert(columns.begin(), {"NETNS", false, 6, 6});
  if (withOwners) columns.push_back({"PROCESS", false, 8, 5});
  TextTable table(std::move(columns));
  table.reserveRows(listing.connections.size());
  for (const SocketObservation* socket : listing.connections) addConnection(table, listing, *socket, withOwners);
  TextBuffer out;
  appendListeners(out, listing, withOwners);
  if (table.rows() == 0) return writeOut({out.data(), out.size()});
  if (out.size() > 0) out.push_back('\n');
  return table.write(out, terminalWidth());
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

ExitCode writeJsonLines(const Listing& listing) {
  OutputParts out;
  for (const SocketObservation* socket : listing.connections) {
    out.append(toJsonLine(detailOf(listing, *socket), SampleEvent::sample, listing.time));
  }
  return out.finish();
}

ExitCode writeJson(const Listing& listing) {
  ConnectionsDocument head;
  head.time = listing.time;
  head.places = listing.places;
  head.gaps = listing.gaps;
  for (const SocketObservation* socket : listing.listeners) {
    head.listeners.push_back({socket->id, socket->local, socket->receiveQueue.value(), socket->sendQueue.value(),
                              listing.ownerOf(*socket), diagnoseListener(*socket)});
  }
  ConnectionsDocumentPieces pieces;
  OutputParts out;
  out.append(pieces.begin(head));
  for (const SocketObservation* socket : listing.connections) out.append(pieces.connection(detailOf(listing, *socket)));
  out.append(ConnectionsDocumentPieces::end());
  return out.finish();
}

/// People look for a port; the kernel's order is that of a hash table.
void sortByPort(Sockets& sockets) {
  const auto key = [](const SocketObservation* socket) { return std::pair(socket->local.port, socket->remote.port); };
  std::sort(sockets.begin(), sockets.end(), [&](const auto* a, const auto* b) { return key(a) < key(b); });
}

/// Longer lists are not read line by line, and scripts sort on their own.
constexpr std::size_t kSortedConnections = 5'000;

/// Damage to a file was said when it was read.
std::vector<CollectionGap> unsaidGaps(const Listing& listing) {
  std::vector<CollectionGap> gaps = listing.gaps;
  if (!listing.places.front().recording.empty()) {
    std::erase_if(gaps, [](const CollectionGap& gap) { return gap.kind == GapKind::damagedFrame; });
  }
  return gaps;
}

ExitCode writeText(const Listing& listing, bool withOwners, bool isFiltered) {
  reportGaps(unsaidGaps(listing));
  if (!listing.connections.empty() || !listing.listeners.empty()) return writeTables(listing, withOwners);
  return isFiltered ? fail(ExitCode::notThere, "no connection matches the filter; 'tcpscope-cli list' shows all")
                    : fail(ExitCode::notThere, "no TCP connections and no listeners");
}

/// In the form that the options ask for, to standard output. Sorts what people read.
ExitCode writeListing(const CommandOptions& options, const ConnectionFilter& filter, Listing& listing) {
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

ExitCode show(const CommandOptions& options, const ConnectionFilter& filter, Expected<Listing, SystemError> listing,
              Anonymizer& anonymizer) {
  if (!listing) return fail(listing.error());
  if (options.anonymize) listing->hide(anonymizer);
  if (listing->mayMissNamespaces) reportMissingNamespaces();
  return writeListing(options, filter, *listing);
}

ExitCode listFrom(const CommandOptions& options, const ConnectionFilter& filter) {
  if (const auto listed = listCapture(options, filter)) return *listed;
  const auto address = options.sshAddress();
  Anonymizer anonymizer;
  return show(
      options, filter,
      address ? takeThere(*address, options.means, filter, !options.noResolve) : takeRecorded(*options.from, filter),
      anonymizer);
}

}  // namespace

ExitCode listCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  if (options.from) return listFrom(options, *filter);
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  if (options.kill.isAsked) {
    if (const auto refused = refuseKill(options, *filter)) return *refused;
    auto listing = takeListing(*place, *filter, !options.noResolve);
    if (!listing) return fail(listing.error());
    const ExitCode shown = writeListing(options, *filter, *listing);
    return shown == ExitCode::done ? closeConnections(*place, listing->connections, options.kill.yes) : shown;
  }
  const Interruption interruption;
  // Shared by all polls, so that each thing keeps its placeholder.
  Anonymizer anonymizer;
  Moment next = monotonicNow();
  for (std::uint64_t left = options.count.value_or(1); left > 0; --left) {
    const ExitCode code = show(options, *filter, takeListing(*place, *filter, !options.noResolve), anonymizer);
    if (code != ExitCode::done || left == 1) return code;
    next = next + options.interval();
    if (interruption.waitUntil(next) == Interruption::Wake::interrupted) break;
  }
  return ExitCode::done;
}

}  // namespace tcpscope
