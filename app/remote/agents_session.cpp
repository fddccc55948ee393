#include "app/remote/agents_session.h"

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// Reports the samples of another collector, which it is in all else.
class ReportedCollector final : public Collector {
public:
  ReportedCollector(std::unique_ptr<Collector> collector, PlaceId place, std::function<void()> onSample)
      : m_collector(std::move(collector)), m_place(place), m_onSample(std::move(onSample)) {}

  [[nodiscard]] CollectorDescription describe() const override { return m_collector->describe(); }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override {
    m_collector->run(std::move(stop), requests, [&](ObservationBatch&& batch) {
      const bool isWhole = batch.dumpEndedAt && batch.place == m_place;
      const bool isTaken = sink(std::move(batch));
      if (isWhole && isTaken) m_onSample();
      return isTaken;
    });
  }

private:
  std::unique_ptr<Collector> m_collector;
  PlaceId m_place;
  std::function<void()> m_onSample;
};

}  // namespace

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
    if (pipes.captures) parts.captures.emplace(place, *pipes.captures);
    std::unique_ptr<Collector> heard = std::move(*collector);
    if (settings.onSample) heard = std::make_unique<ReportedCollector>(std::move(heard), place, settings.onSample);
    parts.collectors.push_back({place, std::move(heard), true});
  }
  return LiveSession::start(std::move(parts), settings.control);
}

}  // namespace tcpscope
