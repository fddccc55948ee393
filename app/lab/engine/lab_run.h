// Everything that a lab consists of, set up inside of its namespaces: hosts, path, agents, programs, each its own
// process, all of them children of the engine.
#pragma once

#include <span>
#include <vector>

#include "app/lab/engine/engine_answers.h"
#include "app/lab/host/host_namespace.h"
#include "app/lab/traffic/traffic_plan.h"
#include "app/lab/traffic/transfer_table.h"

namespace tcpscope::lab {

/// The owner's ends of one host's agent.
struct AgentEnds {
  OwnedDescriptor frames;
  OwnedDescriptor requests;
};

class LabRun {
public:
  /// In the engine's process, of one thread, that has every right in its namespaces. `pathControl` is the path
  /// process's end of its channel to the owner, `captures` one file a host, or empty. Whatever was started already ends
  /// with the engine.
  static Expected<LabRun, LabError> start(const Scenario& scenario, OwnedDescriptor pathControl,
                                          std::span<const OwnedDescriptor> captures);

  [[nodiscard]] const EngineReady& ready() const { return m_ready; }
  [[nodiscard]] const std::vector<AgentEnds>& agents() const { return m_agents; }
  [[nodiscard]] int transferTable() const { return m_table.descriptor(); }
  [[nodiscard]] int pathLog() const { return m_pathLog.get(); }
  /// Without it there is no lab.
  [[nodiscard]] pid_t pathProcess() const { return m_pathProcess; }
  /// Starts a process that captures what passes a host's devices, into `stream`, and answers the owner itself.
  Expected<void, LabError> startCapture(const CaptureQuestion& question, int stream) const;
  /// The owner has its own by now; when it closes them, no other process keeps the agents waiting.
  void closeOwnersEnds() { m_agents.clear(); }

private:
  explicit LabRun(TransferTable table) : m_table(std::move(table)) {}
  Expected<void, LabError> makeHosts(const Scenario& scenario);
  Expected<void, LabError> startPath(const Scenario& scenario, OwnedDescriptor control,
                                     std::span<const OwnedDescriptor> captures);
  Expected<void, LabError> startAgents(const Scenario& scenario);
  Expected<void, LabError> startTraffic(const TrafficPlan& plan);
  Expected<OwnedDescriptor, LabError> tryTraffic(const TrafficPlan& plan) const;

  OwnedDescriptor m_pathNamespace;
  std::vector<HostNamespace> m_hosts;
  std::vector<AgentEnds> m_agents;
  TransferTable m_table;
  OwnedDescriptor m_pathLog;
  pid_t m_pathProcess = -1;
  EngineReady m_ready;
};

}  // namespace tcpscope::lab
