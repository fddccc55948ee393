#include "app/remote/agents_session.h"

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

Expected<std::unique_ptr<LiveSession>, SystemError> openAgentsSession(const std::vector<AgentPipes>& agents,
                                                                      const AgentsSessionSettings& settings) {
  LiveSessionParts parts;
  parts.clock = clockPairNow();
  parts.now = monotonicNow;
  parts.budget = settings.budget;
  parts.paths = settings.paths;
  std::uint32_t number = settings.firstPlace.number;
  if (settings.local) {
    LocalPlace local = *settings.local;
    local.place.id = PlaceId{number++};
    local.settings.place = local.place.id;
    if (auto added = addLocalPlace(parts, local); !added) return Unexpected<SystemError>(added.error());
    parts.answers = answersFromProc();
  }
  const Moment deadline = monotonicNow() + settings.timeout;
  for (const AgentPipes& pipes : agents) {
    const PlaceId place{number++};
    auto collector = AgentCollector::open(pipes, place, deadline);
    if (!collector) return Unexpected<SystemError>(collector.error());
    parts.places.push_back((*collector)->hello().place);
    parts.collectors.push_back({place, std::move(*collector), true});
  }
  return LiveSession::start(std::move(parts), settings.control);
}

}  // namespace tcpscope
