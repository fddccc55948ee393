#include "app/remote/polled_agent.h"

#include <algorithm>
#include <cerrno>

#include "app/session/local_place.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// A password may have to be typed.
constexpr Nanoseconds kAnswerTimeout = std::chrono::seconds(60);

class SteadyRequest final : public RequestSource {
public:
  SteadyRequest(const CollectorRequest& request, const PolledAgent::Interrupt& interrupt, std::stop_source& stop)
      : m_request(request), m_interrupt(interrupt), m_stop(stop) {}

  [[nodiscard]] int wakeDescriptor() const override { return m_interrupt.wakeDescriptor; }
  CollectorRequest take() override {
    if (m_interrupt.isOver()) m_stop.request_stop();
    return m_request;
  }

private:
  const CollectorRequest& m_request;
  const PolledAgent::Interrupt& m_interrupt;
  std::stop_source& m_stop;
};

}  // namespace

Expected<std::unique_ptr<PolledAgent>, SystemError> PolledAgent::reach(std::string_view address, AgentMeans means,
                                                                       const SessionControl& control,
                                                                       const SessionBudget& budget,
                                                                       Nanoseconds dumpTimeout) {
  auto agent = StartedAgent::startBySsh(address, SshManner::asking, means);
  if (!agent) return Unexpected<SystemError>(agent.error());
  auto collector = AgentCollector::open((*agent)->pipes(), PlaceId{0}, monotonicNow() + kAnswerTimeout);
  if (!collector) return Unexpected<SystemError>((*agent)->reasonOf(collector.error()));
  return std::unique_ptr<PolledAgent>(
      new PolledAgent(std::move(*agent), std::move(*collector), control, budget, dumpTimeout));
}

PolledAgent::PolledAgent(std::unique_ptr<StartedAgent> agent, std::unique_ptr<AgentCollector> collector,
                         const SessionControl& control, const SessionBudget& budget, Nanoseconds dumpTimeout)
    : m_agent(std::move(agent)),
      m_collector(std::move(collector)),
      m_session(forCommandOverHost(budget)),
      m_request(collectorRequestOf(control)),
      m_dumpTimeout(dumpTimeout) {
  m_session.setPlaces({place()}, clockPairNow());
  m_session.setControl(control);
}

Moment PolledAgent::dumpDeadline() const {
  return monotonicNow() + m_request.listInterval + m_dumpTimeout;
}

Expected<void, SystemError> PolledAgent::hear(const Interrupt& interrupt,
                                              const std::function<bool(const ObservationBatch&)>& enough) {
  std::stop_source stop;
  bool hasEnded = false;
  SteadyRequest request(m_request, interrupt, stop);
  m_collector->setDeadline(dumpDeadline());
  m_collector->run(stop.get_token(), request, [&](ObservationBatch&& batch) {
    m_session.accept(batch);
    if (endsDump(batch)) m_collector->setDeadline(dumpDeadline());
    hasEnded = std::any_of(batch.gaps.begin(), batch.gaps.end(),
                           [](const CollectionGap& gap) { return gap.kind == GapKind::agentEnded; });
    if (enough(batch)) stop.request_stop();
    return true;
  });
  if (stop.stop_requested() || hasEnded) return {};
  return Unexpected<SystemError>({attemptOf(m_agent->means()), ETIMEDOUT, UntrustedText(m_agent->pipes().name)});
}

}  // namespace tcpscope
