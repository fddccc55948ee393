// What `list` shows: the sockets of one dump, and their owners, from this machine, a recording or another host.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "app/remote/agent_means.h"
#include "app/session/local_place.h"
#include "collectors/owner/owner_lookup.h"
#include "core/filter/connection_filter.h"
#include "core/model/socket_observation.h"
#include "core/session/anonymizer.h"

namespace tcpscope {

using Sockets = std::vector<const SocketObservation*>;

struct Listing {
  /// The caller's own first.
  std::vector<Place> places;
  WallTime time;
  /// As the collector handed them on: nothing is copied, what is shown points into them.
  std::vector<std::vector<SocketObservation>> batches;
  Sockets connections;
  Sockets listeners;
  std::vector<CollectionGap> gaps;
  /// Namespaces that were asked for may be missing.
  bool mayMissNamespaces = false;
  /// By inode.
  OwnerLookup::Owners owners;
  /// By connection, where an agent or a recording supplies them.
  std::unordered_map<ConnectionId, std::shared_ptr<const Owner>> reportedOwners;

  [[nodiscard]] std::shared_ptr<const Owner> ownerOf(const SocketObservation& socket) const {
    if (const auto reported = reportedOwners.find(socket.id); reported != reportedOwners.end()) return reported->second;
    const auto found = owners.find(socket.inode);
    return found == owners.end() ? nullptr : found->second;
  }
  /// Replaces what of addresses and names would be shown.
  void hide(Anonymizer& anonymizer);
  void take(std::vector<SocketObservation> sockets) {
    for (const SocketObservation& socket : batches.emplace_back(std::move(sockets))) {
      (socket.state == TcpState::listen ? listeners : connections).push_back(&socket);
    }
  }
};

/// One dump. With owners, those are looked for on a thread of its own meanwhile: on many connections either takes as
/// long as the other. What does not match the filter is left out.
Expected<Listing, SystemError> takeListing(const LocalPlace& place, const ConnectionFilter& filter, bool withOwners);

/// The sockets at the end of the recording.
Expected<Listing, SystemError> takeRecorded(const std::string& path, const ConnectionFilter& filter);

/// The first dump of another host; with owners the second, since they follow the first.
Expected<Listing, SystemError> takeThere(std::string_view address, AgentMeans means, const ConnectionFilter& filter,
                                         bool withOwners);

}  // namespace tcpscope
