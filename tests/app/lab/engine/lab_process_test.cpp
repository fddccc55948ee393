#include "app/lab/engine/lab_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "core/text/lab_error_sentence.h"
#include "tests/app/lab/engine/lab_scenario.h"

namespace tcpscope::lab {
namespace {

using test::traffic;
using test::twoHosts;

constexpr auto kDeadline = std::chrono::seconds(30);

class LabProcessTest : public testing::Test {
protected:
  void start(const Scenario& scenario) {
    auto started = LabProcess::start(scenario);
    if (!started && started.error().kind == LabErrorKind::noUserNamespaces) GTEST_SKIP() << sentence(started.error());
    ASSERT_TRUE(started) << sentence(started.error());
    m_lab = std::move(*started);
  }

  /// The report once it looks like that; a failure where it does not within the deadline.
  LabResult reportWhen(const std::function<bool(const LabResult&)>& isReached) {
    const auto end = std::chrono::steady_clock::now() + kDeadline;
    while (std::chrono::steady_clock::now() < end) {
      auto report = m_lab->report();
      if (!report) {
        ADD_FAILURE() << sentence(report.error());
        return {};
      }
      if (isReached(*report)) return *report;
      std::this_thread::sleep_for(Milliseconds(5));
    }
    ADD_FAILURE() << "not reached in time";
    return {};
  }

  std::unique_ptr<LabProcess> m_lab;
};

TEST_F(LabProcessTest, CarriesAFixedNumberOfBytesAndSaysWhenTheyWereThrough) {
  Scenario scenario = twoHosts();
  scenario.traffic = {traffic("main")};
  scenario.traffic[0].bytes = Bytes{1'000'000};
  ASSERT_NO_FATAL_FAILURE(start(scenario));
  if (!m_lab) return;

  const LabResult result =
      reportWhen([](const LabResult& report) { return !report.transfers.empty() && report.transfers[0].endedAt; });
  ASSERT_EQ(result.transfers.size(), 1U);
  const TransferRecord& transfer = result.transfers[0];
  EXPECT_EQ(transfer.traffic, "main");
  EXPECT_EQ(transfer.source.toString(), "10.77.0.1:20000");
  EXPECT_EQ(transfer.destination.toString(), "10.77.0.2:5001");
  EXPECT_EQ(transfer.received, Bytes{1'000'000});
  EXPECT_GE(transfer.startedAt, m_lab->startedAt());
  // Handshake and data need three delays of 5 ms at least.
  EXPECT_GE(*transfer.endedAt - transfer.startedAt, Milliseconds(15));
  EXPECT_TRUE(result.skipped.empty());
  EXPECT_EQ(result.path.deviceDrops, Count{0});
}

}  // namespace
}  // namespace tcpscope::lab
