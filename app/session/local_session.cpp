// Live sessions over a place of this host, declared in local_place.h. Apart from local_place.cpp, because an agent
// needs none and must not link what captures need.
#include <iterator>

#include "app/session/local_sources.h"
#include "app/session/other_namespaces.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

Expected<void, SystemError> addLocalPlace(LiveSessionParts& parts, const LocalPlace& place) {
  const PlaceId id = place.place.id;
  std::optional<NetlinkError> whyNot;
  bool hasSockets = false;
  std::vector<PlacedCollector> opened;
  const Environment environment = environmentOf(place);
  for (const SourceDescriptor& row : sourceCatalogue()) {
    auto source = row.open(environment);
    if (source) {
      hasSockets = hasSockets || row.needs == SourceNeeds::socketDiagnosis;
      opened.push_back({id, std::move(*source)});
    } else if (source.error().netlink) {
      whyNot = source.error().netlink;
    }
  }
  if (!hasSockets) return Unexpected<SystemError>(systemError(whyNot.value_or(NetlinkError{}), place));
  std::move(opened.begin(), opened.end(), std::back_inserter(parts.collectors));
  // Packet sockets are opened in this process, and so see its own namespace.
  if (place.name.empty()) parts.captures.emplace(id, CaptureMeans());
  parts.places.push_back(place.place);
  if (place.andOthers) parts.collectors.push_back({id, collectorOfOtherNamespaces(place)});
  return {};
}

Expected<std::unique_ptr<LiveSession>, SystemError> openLocalSession(const LocalPlace& place,
                                                                     const LocalSessionSettings& settings) {
  LiveSessionParts parts;
  parts.clock = clockPairNow();
  parts.now = monotonicNow;
  parts.budget = settings.budget;
  parts.paths = settings.paths;
  if (settings.resolveOwners) parts.answers = answersFromProc();
  if (auto added = addLocalPlace(parts, place); !added) return Unexpected<SystemError>(added.error());
  return LiveSession::start(std::move(parts), settings.control);
}

}  // namespace tcpscope
