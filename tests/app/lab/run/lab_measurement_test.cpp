#include "app/lab/run/lab_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/lab/run/loss_event_census.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;

Scenario bundled(std::string_view name, const std::vector<Assignment>& cell) {
  const auto scenario = parseScenario(findScenario(name)->text);
  return cellOf(scenario.value(), cell).value();
}

Moment atSeconds(double seconds) {
  return Moment::fromNanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

TransferRecord transfer(std::string traffic, std::uint16_t port, std::uint64_t received) {
  TransferRecord record;
  record.traffic = std::move(traffic);
  record.source = {IpAddress::v4({10, 77, 0, 1}), port};
  record.destination = {IpAddress::v4({10, 77, 0, 2}), 5001};
  record.startedAt = atSeconds(1);
  record.received = Bytes(received);
  return record;
}

/// The dumbbell of one Reno flow against two, 100 Mbit/s, with windows of 64 KB for the two: 10 s, bytes of each.
LabFigures figuresOfDumbbell(std::uint64_t one, std::uint64_t two, std::uint64_t three) {
  const Scenario scenario = bundled("reno_against_reno_100mbit", {{"window_two", "64k"}});
  LabResult before;
  LabResult after;
  before.transfers = {transfer("flow_one", 1, 5'000'000), transfer("flow_two", 2, 0)};
  after.transfers = {transfer("flow_one", 1, 5'000'000 + one), transfer("flow_two", 2, two),
                     transfer("flow_two", 3, three)};
  after.path.links = {{"path.forward", {}}, {"path.backward", {}}};
  after.path.links[0].counters.drops = Count(7);
  after.path.links[1].counters.drops = Count(1);
  after.path.lateness999 = 300us;
  after.path.worstLateness = 7ms;
  return figuresOf(scenario, {before, after, 10s});
}

TEST(LabMeasurement, ComparesWhatFlowsGotWithTheirFairShares) {
  const LabFigures figures = figuresOfDumbbell(96'000'000, 14'000'000, 14'000'000);
  EXPECT_NEAR(figures.goodput.value(), 99.2e6, 1.0);
  EXPECT_NEAR(figures.utilizationRatio.value(), 0.992, 1e-6);
  ASSERT_EQ(figures.traffic.size(), 2U);
  EXPECT_NEAR(figures.traffic[0].goodput.value(), 76.8e6, 1.0);
  // 65,535 bytes over 46 ms are 11.4 Mbit/s; the first gets the rest.
  EXPECT_NEAR(figures.traffic[1].fairShare.value().value(), 2 * 11.4e6, 0.05e6);
  EXPECT_NEAR(figures.traffic[0].fairShare.value().value(), 100e6 - 2 * 11.4e6, 0.05e6);
  EXPECT_GT(figures.jainFairnessRatio.value(), 0.999);
  EXPECT_EQ(figures.drops, 8U);
  EXPECT_EQ(figures.lateness.p999, 300us);
  EXPECT_EQ(figures.lateness.worst, 7ms);
  EXPECT_FALSE(figures.completionSeconds);
}

TEST(LabMeasurement, AStarvedFlowShowsInJainsIndex) {
  EXPECT_LT(figuresOfDumbbell(120'000'000, 1'000'000, 1'000'000).jainFairnessRatio.value(), 0.5);
}

TEST(LabMeasurement, StreamsThatCountAsOneAreOneFlow) {
  const Scenario scenario = bundled("parallel_against_reno_100mbit", {{"window_two", "512k"}});
  LabResult after;
  for (std::uint16_t stream = 0; stream < 8; ++stream) {
    after.transfers.push_back(transfer("flow_one", static_cast<std::uint16_t>(10 + stream), 5'208'333));
  }
  after.transfers.push_back(transfer("flow_two", 2, 41'666'667));
  after.transfers.push_back(transfer("flow_two", 3, 41'666'667));
  const LabFigures figures = figuresOf(scenario, {LabResult(), after, 10s});
  EXPECT_GT(figures.jainFairnessRatio.value(), 0.999);
}

TEST(LabMeasurement, TrafficWithAnEndIsTimedFromFirstStartToLastFinish) {
  const Scenario scenario = bundled("parallel_64mb", {{"flows", "2"}, {"path.delay", "25 ms"}});
  LabResult after;
  after.transfers = {transfer("chunk", 1, 32'000'000), transfer("chunk", 2, 32'000'000)};
  EXPECT_FALSE(isComplete(scenario, after));
  after.transfers[0].endedAt = atSeconds(5);
  EXPECT_FALSE(isComplete(scenario, after));
  after.transfers[1].endedAt = atSeconds(9);
  EXPECT_TRUE(isComplete(scenario, after));
  const LabFigures figures = figuresOf(scenario, {LabResult(), after, 60s});
  EXPECT_DOUBLE_EQ(figures.completionSeconds.value(), 8.0);
  EXPECT_NEAR(figures.goodput.value(), 64e6 * 8 / 8.0, 1.0);
  EXPECT_THAT(figures.traffic[0].completionSeconds, testing::ElementsAre(4.0, 8.0));
}

TEST(LabMeasurement, HostsAreMeasuredOverTheSpan) {
  const Scenario scenario = bundled("reno_against_reno_100mbit", {{"window_two", "64k"}});
  LabResult before;
  LabResult after;
  before.transfers = {transfer("flow_one", 1, 5'000'000)};
  before.hosts = {{"sender_one", 400ms, Bytes(7'000'000)}};
  after.transfers = {transfer("flow_one", 1, 105'000'000)};
  after.hosts = {{"sender_one", 1400ms, Bytes(9'000'000)}, {"receiver_two", 50ms, Bytes(0)}};
  const LabFigures figures = figuresOf(scenario, {before, after, 10s});
  ASSERT_EQ(figures.hosts.size(), 2U);
  EXPECT_EQ(figures.hosts[0].name, "sender_one");
  EXPECT_DOUBLE_EQ(figures.hosts[0].cpuRatio.value(), 0.1);
  EXPECT_DOUBLE_EQ(figures.hosts[0].cpuNanosecondsPerByte.value(), 10.0);
  EXPECT_EQ(figures.hosts[0].socketMemoryPeak, Bytes(9'000'000));
  EXPECT_FALSE(figures.hosts[1].cpuNanosecondsPerByte) << "it received nothing";
}

TEST(LabMeasurement, HostsAreMeasuredOverTheTimeOfTrafficThatReachedItsEnd) {
  const Scenario scenario = bundled("parallel_64mb", {{"flows", "1"}, {"path.delay", "25 ms"}});
  LabResult before;
  before.transfers = {transfer("chunk", 1, 0)};
  before.hosts = {{"sender", 100ms, Bytes(0)}};
  LabResult after;
  after.transfers = {transfer("chunk", 1, 50'000'000)};
  after.transfers[0].endedAt = atSeconds(3);
  after.hosts = {{"sender", 500ms, Bytes(1'000'000)}};
  const LabFigures figures = figuresOf(scenario, {before, after, 60s});
  EXPECT_DOUBLE_EQ(figures.hosts.at(0).cpuRatio.value(), 0.25) << "500 ms of 2 s";
  EXPECT_DOUBLE_EQ(figures.hosts.at(0).cpuNanosecondsPerByte.value(), 10.0);
}

TEST(LabMeasurement, ComputesTheBaseRtt) {
  const Scenario scenario = bundled("reno_against_reno_100mbit", {{"window_two", "64k"}});
  EXPECT_EQ(baseRtt(scenario.path, "sender_one", "receiver_one"), 46ms);
}

TEST(LossEventCensus, CountsFlowsHitBesideTheEquations) {
  const Scenario scenario = bundled("paced_against_window", {{"path.delay", "25 ms"}});
  LabResult result;
  for (std::uint16_t port = 0; port < 4; ++port) {
    result.transfers.push_back(transfer(port < 2 ? "paced" : "window", port, 0));
  }
  std::vector<PathEvent> log;
  const auto drop = [&](double seconds, std::uint16_t port) {
    PathEvent event;
    event.time = atSeconds(seconds);
    event.kind = PathEventKind::queueDrop;
    event.source = result.transfers[port].source;
    log.push_back(event);
  };
  // First event: one drop of each paced flow, six of one window-based flow. Second: one drop of the other.
  drop(1.000, 0);
  drop(1.001, 1);
  for (int packet = 0; packet < 6; ++packet) drop(1.010 + 0.0001 * packet, 2);
  drop(2.000, 3);
  const std::vector<double> perRtt = {10.0, 3.0};
  const LossEventCensus census = censusOf(log, result, 50ms, perRtt, scenario);
  EXPECT_EQ(census.events, 2U);
  EXPECT_DOUBLE_EQ(census.dropsMean, 4.5);
  ASSERT_EQ(census.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(census.rows[0].flowsHitMean, 1.0);
  EXPECT_DOUBLE_EQ(census.rows[0].expectedPaced, 1.0);
  EXPECT_DOUBLE_EQ(census.rows[1].flowsHitMean, 1.0);
  // max(6 / 3, 1) in the first event, 1 in the second.
  EXPECT_DOUBLE_EQ(census.rows[1].expectedBunched, 1.5);
}

TEST(DropIntervals, AreBetweenDropsInTheirOrderInUnitsOfTheRtt) {
  std::vector<PathEvent> log;
  const auto add = [&](double seconds, PathEventKind kind) {
    PathEvent event;
    event.time = atSeconds(seconds);
    event.kind = kind;
    log.push_back(event);
  };
  // The log of two links is not in the order of time; a mark is no drop.
  add(1.0, PathEventKind::queueDrop);
  add(1.2, PathEventKind::queueDrop);
  add(1.1, PathEventKind::randomLoss);
  add(1.15, PathEventKind::ecnMark);
  EXPECT_THAT(dropIntervals(log, 100ms), testing::ElementsAre(testing::DoubleEq(1.0), testing::DoubleEq(1.0)));
  EXPECT_THAT(dropIntervals(log, 0ms), testing::IsEmpty());
  EXPECT_THAT(dropIntervals({}, 100ms), testing::IsEmpty());
}

}  // namespace
}  // namespace tcpscope::lab
