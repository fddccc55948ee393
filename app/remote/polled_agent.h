// An agent for a command that samples for a while and then reports: an analysis without threads, fed in the caller's
// own.
#pragma once

#include "app/remote/started_agent.h"
#include "app/session/live_session.h"

namespace tcpscope {

class PolledAgent {
public:
  /// Of a busy host behind a slow line, too.
  static constexpr Nanoseconds kDumpTimeout = std::chrono::seconds(30);

  /// The caller has asked to stop.
  using Interrupt = AgentInterrupt;

  /// Reaches the host and waits for its hello, some seconds at most.
  static Expected<std::unique_ptr<PolledAgent>, SystemError> reach(std::string_view address, AgentMeans means,
                                                                   const SessionControl& control,
                                                                   const SessionBudget& budget,
                                                                   Nanoseconds dumpTimeout = kDumpTimeout);

  /// Hears the agent until `enough` says so after a batch, the interruption comes or the agent ends. Fails with
  /// ETIMEDOUT where no dump ends for the timeout beyond its interval, however much else the agent sends.
  Expected<void, SystemError> hear(const Interrupt& interrupt,
                                   const std::function<bool(const ObservationBatch&)>& enough);

  /// The batch ends a dump of the host; those of its further network namespaces have ends of their own.
  [[nodiscard]] bool endsDump(const ObservationBatch& batch) const {
    return batch.dumpEndedAt && batch.place == place().id;
  }
  [[nodiscard]] const Place& place() const { return m_collector->hello().place; }
  [[nodiscard]] AnalysisSession& session() { return m_session; }

private:
  PolledAgent(std::unique_ptr<StartedAgent> agent, std::unique_ptr<AgentCollector> collector,
              const SessionControl& control, const SessionBudget& budget, Nanoseconds dumpTimeout);
  [[nodiscard]] Moment dumpDeadline() const;

  std::unique_ptr<StartedAgent> m_agent;
  std::unique_ptr<AgentCollector> m_collector;
  AnalysisSession m_session;
  CollectorRequest m_request;
  Nanoseconds m_dumpTimeout;
};

}  // namespace tcpscope
