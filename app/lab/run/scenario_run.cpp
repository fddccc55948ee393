#include "app/lab/run/scenario_run.h"

#include <algorithm>

#include "app/lab/run/lab_measurement.h"

namespace tcpscope::lab {

namespace {

using Failure = Unexpected<LabError>;

constexpr Milliseconds kPollInterval{200};

LabError watchError(const SystemError& error) {
  return {LabErrorKind::setUpFailed, error.errorNumber, UntrustedText("agents")};
}

/// The truth's connection: the first of its traffic.
std::vector<TransferRecord> mainFirst(const Scenario& scenario, std::vector<TransferRecord> transfers) {
  if (!scenario.truth) return transfers;
  std::stable_partition(transfers.begin(), transfers.end(),
                        [&](const TransferRecord& one) { return one.traffic == scenario.truth->traffic; });
  return transfers;
}

/// Other traffic may begin, and end, before the one that the truth is about.
bool hasBegun(const Scenario& scenario, const std::vector<TransferRecord>& transfers) {
  return !scenario.truth || std::any_of(transfers.begin(), transfers.end(), [&](const TransferRecord& one) {
    return one.traffic == scenario.truth->traffic;
  });
}

/// Packets that a flow of each traffic sends per RTT, from its goodput.
std::vector<double> packetsPerRtt(const Scenario& scenario, const LabFigures& figures) {
  constexpr double kSegmentBits = 1448.0 * 8.0;
  std::vector<double> packets;
  for (std::size_t number = 0; number < scenario.traffic.size(); ++number) {
    const TrafficSettings& traffic = scenario.traffic[number];
    const double flows = static_cast<double>(std::max<std::size_t>(figures.traffic[number].connections, 1));
    const double rtt = toSeconds(baseRtt(scenario.path, traffic.from, traffic.to));
    packets.push_back(figures.traffic[number].goodput.value() / flows * rtt / kSegmentBits);
  }
  return packets;
}

/// Of all traffic, without any queue.
Nanoseconds meanRtt(const Scenario& scenario) {
  if (scenario.traffic.empty()) return Nanoseconds{0};
  Nanoseconds sum{0};
  for (const TrafficSettings& traffic : scenario.traffic) sum += baseRtt(scenario.path, traffic.from, traffic.to);
  return sum / static_cast<Nanoseconds::rep>(scenario.traffic.size());
}

class Runner {
public:
  Runner(const Scenario& scenario, const WaitUntil& waitUntil, LabProcess& lab, LabWatch* watch)
      : m_scenario(scenario), m_waitUntil(waitUntil), m_lab(lab), m_watch(watch) {}

  Expected<ScenarioRun, LabError> run() {
    const Moment measuredFrom = m_lab.startedAt() + m_scenario.warmUp;
    auto before = passUntil(measuredFrom);
    if (!before) return Failure(before.error());
    const Moment from = m_reportedAt;
    auto after = passUntil(from + m_scenario.duration);
    if (!after) return Failure(after.error());
    ScenarioRun run;
    run.interrupted = m_interrupted;
    run.figures = figuresOf(m_scenario, {*before, *after, std::max<Nanoseconds>(m_reportedAt - from, kPollInterval)});
    run.skipped = after->skipped;
    judge(run);
    takeCensus(run, *after);
    return run;
  }

private:
  /// The counters at that moment, or when all traffic had come to its end before.
  Expected<LabResult, LabError> passUntil(Moment moment) {
    while (true) {
      auto result = m_lab.report();
      if (!result) return result;
      // Not when it was wanted: a busy machine wakes late, and a rate over the wrong time is wrong.
      m_reportedAt = result->readAt;
      if (m_watch != nullptr && !m_watch->seesAll() && hasBegun(m_scenario, result->transfers)) {
        m_watch->follow(mainFirst(m_scenario, result->transfers));
      }
      if (m_interrupted || m_next >= moment || isComplete(m_scenario, *result)) return result;
      m_next = std::min(std::max(m_next, m_lab.startedAt()) + kPollInterval, moment);
      m_interrupted = !m_waitUntil(m_next);
    }
  }
  void judge(ScenarioRun& run) {
    if (m_watch == nullptr) return;
    // The last samples take a moment to arrive.
    constexpr int kMostWaits = 50;
    for (int waited = 0; waited < kMostWaits && !m_watch->knows(m_reportedAt); ++waited) {
      if (!m_waitUntil(m_next + kPollInterval / 10 * (waited + 1))) break;
    }
    run.transfers = m_watch->transfers();
    run.places = m_watch->places();
    if (!m_scenario.truth || run.transfers.empty()) return;
    const WatchedTransfer& main = run.transfers.front();
    // A SYN that does not arrive leaves no connection at the other end.
    const bool isOneSided = m_scenario.truth->limit == Limit::opening && !main.receiver;
    if (!main.sender || (!main.receiver && !isOneSided)) return;
    run.agreement = agreementOf(*m_scenario.truth, main.sender->diagnosis,
                                main.receiver ? main.receiver->diagnosis : ConnectionDiagnosis());
  }
  void takeCensus(ScenarioRun& run, const LabResult& result) const {
    const std::vector<PathEvent> events = m_lab.events();
    run.figures.dropIntervalsRtt = dropIntervals(events, meanRtt(m_scenario));
    if (m_scenario.traffic.size() < 2) return;
    const TrafficSettings& first = m_scenario.traffic.front();
    const Nanoseconds rtt = baseRtt(m_scenario.path, first.from, first.to);
    run.census = censusOf(events, result, rtt, packetsPerRtt(m_scenario, run.figures), m_scenario);
  }

  const Scenario& m_scenario;
  const WaitUntil& m_waitUntil;
  LabProcess& m_lab;
  LabWatch* m_watch;
  Moment m_next;
  Moment m_reportedAt;
  bool m_interrupted = false;
};

}  // namespace

Expected<ScenarioRun, LabError> runOnce(const Scenario& scenario, Watch watch, const WaitUntil& waitUntil,
                                        std::span<const int> captures) {
  auto lab = LabProcess::startCaptured(scenario, captures);
  if (!lab) return Failure(lab.error());
  std::unique_ptr<LabWatch> eyes;
  if (watch == Watch::yes) {
    auto started = LabWatch::start(**lab, scenario.duration);
    if (!started) return Failure(watchError(started.error()));
    eyes = std::move(*started);
  }
  return Runner(scenario, waitUntil, **lab, eyes.get()).run();
}

}  // namespace tcpscope::lab
