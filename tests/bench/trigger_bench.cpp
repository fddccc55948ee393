// What an armed trigger costs: a filter over 10,000 connections that are polled once a second, against the same polls
// without one.
#include <fmt/core.h>

#include <cstdlib>

#include "core/session/analysis_session.h"
#include "tests/bench/measurement.h"
#include "tests/support/observation_builder.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

/// Rates, RTT and counters of each move at every poll; a few connections begin to match.
SocketObservation sampleOf(std::uint32_t connection, std::uint32_t second) {
  const std::uint32_t segments = 1'000 * second + connection;
  return test::ObservationBuilder()
      .cookie(connection + 1)
      .local("192.0.2.1", static_cast<std::uint16_t>(20'000 + connection % 10'000))
      .at(std::chrono::seconds(second))
      .acked(1'448ULL * segments)
      .dataSegmentsOut(segments)
      .rtt(std::chrono::milliseconds((connection + 7 * second) % 1'000 == 0 ? 250 : 20 + (connection + second) % 50),
           std::chrono::milliseconds(5))
      .build();
}

/// Processor time of one poll of all connections, batch and snapshot.
double pollTime(std::uint32_t connections, std::uint32_t polls, bool isArmed) {
  // Until the window of the verdicts is full.
  constexpr std::uint32_t kFirst = 12;
  AnalysisSession session;
  session.setPlaces({Place{}}, {});
  SessionControl control;
  if (isArmed) control.trigger = {1, *ConnectionFilter::parse("dport = :443 and ( rtt > 200ms or limit = receiver )")};
  session.setControl(control);
  std::vector<double> times;
  for (std::uint32_t second = 1; second <= kFirst + polls; ++second) {
    ObservationBatch batch;
    batch.changed.reserve(connections);
    for (std::uint32_t connection = 0; connection < connections; ++connection)
      batch.changed.push_back(sampleOf(connection, second));
    batch.dumpEndedAt = batch.changed.back().takenAt;
    std::size_t triggered = 0;
    const double time = threadCpuOf([&] {
      session.accept(batch);
      triggered = session.tick(*batch.dumpEndedAt)->triggered.size();
    });
    if (second <= kFirst) continue;
    if (isArmed && triggered == 0) giveUp("the trigger found nothing");
    times.push_back(time);
  }
  return median(times);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::uint32_t connections = quick ? 1'000 : 10'000;
  std::vector<double> added;
  std::vector<double> without;
  for (int round = 0; round < (quick ? 1 : 9); ++round) {
    without.push_back(pollTime(connections, quick ? 2 : 10, false));
    added.push_back(pollTime(connections, quick ? 2 : 10, true) - without.back());
  }
  // A poll a second: seconds of processor time are a share of a core.
  publish({fmt::format("a trigger armed on {} connections at 1 Hz", connections),
           fmt::format("{:.2f} ms CPU a second more", median(added) * 1e3),
           fmt::format("the polls {:.1f} ms", median(without) * 1e3), median(added) * 100.0, "% of a core",
           quick ? std::nullopt : std::optional(1.0)});
  return EXIT_SUCCESS;
}
