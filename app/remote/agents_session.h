// A live session over several places: agents, each a place named by its hello, and this host if wanted.
#pragma once

#include "app/remote/agent_collector.h"
#include "app/session/local_place.h"

namespace tcpscope {

struct AgentsSessionSettings {
  SessionControl control;
  SessionBudget budget;
  /// This place too, with the owners of its sockets.
  std::optional<LocalPlace> local;
  /// Places are numbered from here on.
  PlaceId firstPlace;
  /// As LiveSessionParts::paths.
  TakePathSightings paths;
  /// Called behind every whole sample of an agent, on the agent's thread; null for no call.
  std::function<void()> onSample;
  /// How long an agent may take until it speaks.
  Nanoseconds timeout = std::chrono::seconds(10);
};

/// Waits for every agent's hello. The descriptors stay the caller's. Local comes first in the session's places, then
/// the agents in their order. Fails with what the first agent that cannot be reached gives.
Expected<std::unique_ptr<LiveSession>, SystemError> openAgentsSession(const std::vector<AgentPipes>& agents,
                                                                      const AgentsSessionSettings& settings);

}  // namespace tcpscope
