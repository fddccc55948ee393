// Every kind of traffic, between real hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/lab/running_lab.h"

namespace tcpscope::lab {
namespace {

using test::traffic;
using testing::IsEmpty;

/// There and back on the path of test::twoHosts().
constexpr Milliseconds kRtt{10};

using TrafficTest = test::RunningLab;

Nanoseconds duration(const TransferRecord& transfer) {
  return *transfer.endedAt - transfer.startedAt;
}

TEST_F(TrafficTest, BulkCarriesAFixedNumberOfBytes) {
  TrafficSettings main = traffic("main");
  main.bytes = Bytes{1'000'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;

  const LabResult result = reportWhenEnded(1);
  ASSERT_EQ(result.transfers.size(), 1U);
  const TransferRecord& transfer = result.transfers[0];
  EXPECT_EQ(transfer.traffic, "main");
  EXPECT_EQ(transfer.source.toString(), "10.77.0.1:20000");
  EXPECT_EQ(transfer.destination.toString(), "10.77.0.2:5001");
  EXPECT_EQ(transfer.received, Bytes{1'000'000});
  EXPECT_GE(transfer.startedAt, lab()->startedAt());
  EXPECT_GE(duration(transfer), kRtt * 3 / 2);
  EXPECT_THAT(result.skipped, IsEmpty());
}

TEST_F(TrafficTest, StatesWhatItCostBothHosts) {
  TrafficSettings main = traffic("main");
  main.bytes = Bytes{20'000'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhen([](const LabResult& report) {
    const bool hasEnded = !report.transfers.empty() && report.transfers[0].endedAt;
    return hasEnded && report.hosts.size() == 2 && report.hosts[1].processorTime > Nanoseconds(0);
  });
  ASSERT_EQ(result.hosts.size(), 2U);
  for (const HostUse& host : result.hosts) {
    EXPECT_GT(host.processorTime, Nanoseconds(0)) << host.host;
    EXPECT_GT(host.memoryPeak, Bytes(1448)) << host.host;
  }
}

TEST_F(TrafficTest, RunsOverIpv6) {
  TrafficSettings main = traffic("main");
  main.ipv6 = true;
  main.bytes = Bytes{100'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_EQ(result.transfers[0].source.toString(), "[fd77::1]:20000");
  EXPECT_EQ(result.transfers[0].received, Bytes{100'000});
}

TEST_F(TrafficTest, CarriesStreamsBesideEachOther) {
  TrafficSettings main = traffic("main");
  main.streams = 4;
  main.bytes = Bytes{100'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(4);
  for (const TransferRecord& transfer : result.transfers) EXPECT_EQ(transfer.received, Bytes{100'000});
  EXPECT_EQ(result.transfers[3].source.port, 20003);
}

TEST_F(TrafficTest, CarriesMessagesAFewAtATime) {
  TrafficSettings main = traffic("main", TrafficKind::messages);
  main.streams = 2;
  main.messages = 8;
  main.bytes = Bytes{50'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(8);
  ASSERT_EQ(result.transfers.size(), 8U);
  for (const TransferRecord& transfer : result.transfers) {
    EXPECT_EQ(transfer.received, Bytes{50'000});
    const auto others = std::count_if(result.transfers.begin(), result.transfers.end(), [&](const auto& other) {
      return other.startedAt <= transfer.startedAt && *other.endedAt > transfer.startedAt;
    });
    EXPECT_LE(others, 2) << "itself, and one besides";
  }
}

TEST_F(TrafficTest, AsksAndWaitsForTheAnswer) {
  TrafficSettings main = traffic("main", TrafficKind::requestResponse);
  main.greeting = Bytes{10};
  main.writeSize = Bytes{1000};
  main.readSize = Bytes{2000};
  main.bytes = Bytes{5010};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_EQ(result.transfers[0].received, Bytes{5010});
  // The handshake's way, four questions with their answers, the last one's way.
  EXPECT_GE(duration(result.transfers[0]), kRtt * 11 / 2);
}

TEST_F(TrafficTest, KeepsSeveralRequestsWithoutAnAnswer) {
  TrafficSettings main = traffic("main", TrafficKind::requestResponse);
  main.writeSize = Bytes{10'000};
  main.readSize = Bytes{100};
  main.requestsInFlight = 4;
  main.bytes = Bytes{400'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_EQ(result.transfers[0].received, Bytes{400'000});
  // Forty requests, four an RTT: at least ten of them, and not the forty of one at a time.
  EXPECT_GE(duration(result.transfers[0]), kRtt * 10);
}

TEST_F(TrafficTest, WorksOnOneRequestAtATime) {
  TrafficSettings main = traffic("main", TrafficKind::requestResponse);
  main.writeSize = Bytes{1'000};
  main.requestsInFlight = 4;
  main.answerTime = Milliseconds(5);
  main.bytes = Bytes{20'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  EXPECT_GE(duration(reportWhenEnded(1).transfers[0]), Milliseconds(5) * 16) << "the last four are not waited for";
}

TEST_F(TrafficTest, WritesARequestInSeveralCalls) {
  TrafficSettings main = traffic("main", TrafficKind::requestResponse);
  main.writeSize = Bytes{601};
  main.writesPerRequest = 2;
  main.bytes = Bytes{6'010};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  EXPECT_EQ(reportWhenEnded(1).transfers[0].received, Bytes{6'010});
}

TEST_F(TrafficTest, PausesBetweenWrites) {
  TrafficSettings main = traffic("main", TrafficKind::pausing);
  main.writeSize = Bytes{1000};
  main.writeRest = Milliseconds(30);
  main.bytes = Bytes{5000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_EQ(result.transfers[0].received, Bytes{5000});
  EXPECT_GE(duration(result.transfers[0]), Milliseconds(4 * 30));
}

TEST_F(TrafficTest, ReadsSlowly) {
  TrafficSettings main = traffic("main");
  main.readSize = Bytes{10'000};
  main.readRest = Milliseconds(20);
  main.bytes = Bytes{100'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_EQ(result.transfers[0].received, Bytes{100'000});
  EXPECT_GE(duration(result.transfers[0]), Milliseconds(9 * 20));
}

TEST_F(TrafficTest, ClampsTheWindowOfAnOpenConnection) {
  TrafficSettings main = traffic("main");
  main.receiveBuffer = Bytes{100'000};
  main.lateWindowClamp = Bytes{20'000};
  main.bytes = Bytes{1'000'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_EQ(result.transfers[0].received, Bytes{1'000'000});
  // What was advertised before the clamp is not taken back.
  EXPECT_GE(duration(result.transfers[0]), kRtt * ((1'000'000 - 2 * 100'000) / 20'000) * 3 / 4);
}

TEST_F(TrafficTest, ClampsTheCongestionWindowByTheRoute) {
  Scenario scenario = test::twoHosts();
  scenario.hosts[0].congestionWindowClamp = Segments(4);
  scenario.hosts[0].sysctls["net.ipv4.tcp_no_metrics_save"] = "0";
  TrafficSettings before = traffic("before");
  before.bytes = Bytes{1000};
  TrafficSettings main = traffic("main");
  main.bytes = Bytes{200'000};
  main.start = Milliseconds(200);
  scenario.traffic = {before, main};
  ASSERT_NO_FATAL_FAILURE(start(scenario));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(2);
  EXPECT_EQ(result.transfers[1].received, Bytes{200'000});
  EXPECT_GE(duration(result.transfers[1]), kRtt * (200'000 / (4 * 1448)) * 9 / 10);
}

TEST_F(TrafficTest, StartsWithTheInitialWindowOfTheRoute) {
  Scenario scenario = test::twoHosts();
  scenario.hosts[0].initialCongestionWindow = Segments(100);
  TrafficSettings larger = traffic("larger");
  larger.bytes = Bytes{60'000};
  TrafficSettings usual = larger;
  usual.name = "usual";
  std::swap(usual.from, usual.to);
  usual.start = Milliseconds(300);
  scenario.traffic = {larger, usual};
  ASSERT_NO_FATAL_FAILURE(start(scenario));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(2);
  EXPECT_LT(duration(result.transfers[0]), duration(result.transfers[1])) << "one flight instead of three";
}

TEST_F(TrafficTest, KeepsToItsPace) {
  TrafficSettings main = traffic("main", TrafficKind::paced);
  main.pacingRate = BitsPerSecond(8e6);
  main.bytes = Bytes{400'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  // 400 ms at 8 Mbit/s; the first segments may go at once.
  EXPECT_GE(duration(result.transfers[0]), Milliseconds(350));
}

TEST_F(TrafficTest, MayStaySilent) {
  TrafficSettings other = traffic("other");
  other.bytes = Bytes{100'000};
  ASSERT_NO_FATAL_FAILURE(start({traffic("main", TrafficKind::silent), other}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  ASSERT_EQ(result.transfers.size(), 2U);
  EXPECT_EQ(result.transfers[0].traffic, "main");
  EXPECT_FALSE(result.transfers[0].endedAt);
  EXPECT_EQ(result.transfers[0].received, Bytes{0});
}

TEST_F(TrafficTest, StartsAtItsStartTime) {
  TrafficSettings main = traffic("main");
  main.start = Milliseconds(200);
  main.bytes = Bytes{1000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  EXPECT_GE(result.transfers[0].startedAt, lab()->startedAt() + Milliseconds(200));
}

TEST_F(TrafficTest, SkipsACongestionControlThatTheKernelLacksAndSaysSo) {
  TrafficSettings exotic = traffic("exotic");
  exotic.congestionControl = "no_such_cc";
  TrafficSettings main = traffic("main");
  main.bytes = Bytes{1000};
  ASSERT_NO_FATAL_FAILURE(start({exotic, main}));
  if (!lab()) return;
  const LabResult result = reportWhenEnded(1);
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped[0].traffic, "exotic");
  EXPECT_EQ(result.skipped[0].reason.kind, LabErrorKind::noCongestionControl);
  EXPECT_EQ(result.skipped[0].reason.object.rawBytes(), "no_such_cc");
  ASSERT_EQ(result.transfers.size(), 1U);
  EXPECT_EQ(result.transfers[0].traffic, "main");
}

TEST_F(TrafficTest, SkipsABufferThatTheKernelWouldCut) {
  TrafficSettings main = traffic("main");
  main.receiveBuffer = Bytes{1'000'000'000};
  ASSERT_NO_FATAL_FAILURE(start({main}));
  if (!lab()) return;
  const auto report = lab()->report();
  ASSERT_TRUE(report);
  ASSERT_EQ(report->skipped.size(), 1U);
  EXPECT_EQ(report->skipped[0].reason.kind, LabErrorKind::optionRefused);
  EXPECT_EQ(report->skipped[0].reason.object.rawBytes(), "SO_RCVBUF");
}

}  // namespace
}  // namespace tcpscope::lab
