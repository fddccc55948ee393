// Live sessions over a place of this host, declared in local_place.h. Apart from local_place.cpp, because an agent
// needs none and must not link what captures need.
#include <fcntl.h>

#include <iterator>

#include "app/session/local_sources.h"
#include "app/session/namespace_capture.h"
#include "app/session/namespace_focus.h"
#include "app/session/other_namespaces.h"
#include "collectors/sock_diag/network_namespace.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

std::optional<CaptureMeans> captureMeansOf(const LocalPlace& place) {
  // Packet sockets that this process opens are in its own namespace.
  if (place.name.empty()) return CaptureMeans();
  const auto where = NetworkNamespace::parse(place.name);
  if (place.captureProgram.empty() || !where || !place.networkNamespace) return std::nullopt;
  auto descriptor = std::make_shared<OwnedDescriptor>(open(where->path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  // The sockets' namespace, and not that of another process which has got the PID since.
  if (descriptor->get() < 0 || !isNetworkNamespace(*descriptor, *place.networkNamespace)) return std::nullopt;
  return captureMeansInside(place.captureProgram, std::move(descriptor));
}

}  // namespace

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
  if (auto means = captureMeansOf(place)) parts.captures.emplace(id, std::move(*means));
  parts.places.push_back(place.place);
  if (place.andOthers) {
    auto namespaces = std::make_shared<NamespaceRegister>();
    parts.collectors.push_back({id, collectorOfOtherNamespaces(place, namespaces)});
    parts.collectors.push_back(
        {.place = id, .collector = focusInOtherNamespaces(place, namespaces), .takesEveryFocus = true});
    if (const auto own = parts.captures.find(id); own != parts.captures.end() && !place.captureProgram.empty()) {
      own->second.inNamespace = [namespaces, program = place.captureProgram](const Place& in) {
        auto descriptor = namespaces->descriptorOf(in.id);
        return descriptor ? std::optional(captureMeansInside(program, std::move(descriptor))) : std::nullopt;
      };
    }
  }
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
