// What it costs to time exchanges, requests and their answers: of 10,000 connections that are polled once a second,
// against the same samples where they show no turns; and of a capture, against its whole analysis.
#include <fmt/core.h>

#include <cstdlib>

#include "core/session/analysis_session.h"
#include "core/session/capture/capture_analysis.h"
#include "core/wire/exchanges/exchange_tracker.h"
#include "tests/bench/captured_segments.h"
#include "tests/bench/captured_traffic.h"
#include "tests/bench/measurement.h"
#include "tests/support/observation_builder.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

constexpr std::uint32_t kExchangesASecond = 100;

/// At the n-th second: 100 exchanges of 300 and 2,000 bytes more; every other poll falls into the peer's turn.
SocketObservation sampleOf(std::uint32_t connection, std::uint32_t second, bool hasTurns) {
  using std::chrono::milliseconds;
  const std::uint32_t exchanges = kExchangesASecond * second;
  test::ObservationBuilder builder;
  builder.cookie(connection + 1)
      .local("192.0.2.1", static_cast<std::uint16_t>(20'000 + connection % 10'000))
      .at(std::chrono::seconds(second))
      .acked(300ULL * exchanges)
      .received(2'000ULL * exchanges)
      .dataSegmentsOut(exchanges)
      .dataSegmentsIn(2 * exchanges)
      .applicationLimited(true);
  const bool isPeersTurn = (connection + second) % 2 == 0;
  if (hasTurns) {
    builder.dataAges(milliseconds(isPeersTurn ? 2 : 7), milliseconds(isPeersTurn ? 6 : 3));
  } else {
    // Within one millisecond: which of them came first is not known.
    builder.dataAges(milliseconds(3), milliseconds(3));
  }
  return builder.build();
}

/// Processor time of one poll of all connections, batch and snapshot.
std::vector<double> pollTimes(std::uint32_t connections, std::uint32_t polls, bool hasTurns) {
  // Until the window of the verdicts is full.
  constexpr std::uint32_t kFirst = 12;
  AnalysisSession session;
  Place place;
  session.setPlaces({place}, {});
  std::vector<double> times;
  for (std::uint32_t second = 1; second <= kFirst + polls; ++second) {
    ObservationBatch batch;
    batch.changed.reserve(connections);
    for (std::uint32_t connection = 0; connection < connections; ++connection) {
      batch.changed.push_back(sampleOf(connection, second, hasTurns));
    }
    batch.dumpEndedAt = batch.changed.back().takenAt;
    const double time = threadCpuOf([&] {
      session.accept(batch);
      session.tick(*batch.dumpEndedAt);
    });
    if (second > kFirst) times.push_back(time);
  }
  return times;
}

void compareSamples(bool isQuick) {
  const std::uint32_t connections = isQuick ? 500 : 10'000;
  std::vector<double> with;
  std::vector<double> without;
  for (int round = 0; round < (isQuick ? 1 : 5); ++round) {
    for (const bool hasTurns : {round % 2 == 0, round % 2 != 0}) {
      const std::vector<double> times = pollTimes(connections, isQuick ? 2 : 10, hasTurns);
      (hasTurns ? with : without).push_back(median(times));
    }
  }
  publish({fmt::format("a poll of {} connections with {} exchanges a second each", connections, kExchangesASecond),
           fmt::format("{:.1f} ms CPU", median(with) * 1e3),
           fmt::format("without exchanges {:.1f} ms", median(without) * 1e3), median(with) / median(without), "ratio",
           isQuick ? std::nullopt : std::optional(1.1)});
}

/// Flows, with or without a tracker each.
double flowTime(const CapturedTraffic& traffic, bool tracks) {
  return threadCpuOf([&] {
    FlowTable flows;
    std::vector<ExchangeTracker> trackers;
    readSegments(traffic.file, [&](const PacketSample& packet) {
      const FlowPacket taken = flows.take(packet);
      if (taken.connection == nullptr) return;
      if (trackers.size() <= taken.index) trackers.resize(taken.index + 1);
      if (tracks) trackers[taken.index].take(packet, taken);
    });
  });
}

double analysisTime(const CapturedTraffic& traffic) {
  return threadCpuOf([&] {
    CaptureAnalysis analysis;
    readSegments(traffic.file, [&](const PacketSample& packet) { analysis.take(packet); });
  });
}

void compareCapture(const CapturedTraffic& traffic, bool isQuick) {
  std::vector<double> tracking;
  std::vector<double> analyzing;
  for (int round = 0; round < (isQuick ? 1 : 9); ++round) {
    const double without = flowTime(traffic, false);
    tracking.push_back(flowTime(traffic, true) - without);
    analyzing.push_back(analysisTime(traffic));
  }
  const double others = median(analyzing) - median(tracking);
  publish({fmt::format("exchanges of a capture, {} packets", traffic.packets),
           fmt::format("{:.1f} ms CPU", median(tracking) * 1e3),
           fmt::format("its analysis {:.1f} ms", median(analyzing) * 1e3), 1.0 + median(tracking) / others, "ratio",
           isQuick ? std::nullopt : std::optional(1.05)});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  compareSamples(quick);
  std::string folder = (std::filesystem::temp_directory_path() / "exchanges-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  if (const auto traffic = captureExchanges(folder, quick ? 320 : 64'000)) compareCapture(*traffic, quick);
  std::filesystem::remove_all(folder);
  return EXIT_SUCCESS;
}
