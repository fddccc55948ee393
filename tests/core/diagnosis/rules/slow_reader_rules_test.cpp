// What is found about a program that does not read, by what kept it from running.
#include <gtest/gtest.h>

#include "core/diagnosis/rules/rules.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::Growth;
using test::kStep;
using test::ObservationBuilder;
using test::Situation;

constexpr int kSteps = 30;

Moment endOfSituation() {
  return ObservationBuilder().build().takenAt + kSteps * kStep;
}

/// Over the 5 s up to a time.
ProgramWaits waited(Nanoseconds forProcessor, Moment until = endOfSituation()) {
  return {until - 5s, until, forProcessor};
}

/// A receiver whose program does not read.
std::vector<Finding> slowReaderFindings(const ProgramWaits& waits, const std::optional<HeldUpPeriods>& periods = {}) {
  Situation receiver(
      [&](ObservationBuilder& socket) { socket.ownWindow(10'000).queues(60'000, 0).programWaits(waits); });
  Growth arrives;
  arrives.received = 30'000;
  receiver.repeat(kSteps, kStep, arrives);
  return diagnose(receiver.socket(), receiver.window(), {{}, periods, {}}).receiving->findings;
}

const Finding* findingOf(const std::vector<Finding>& findings, RuleId rule) {
  const auto is = [rule](const Finding& finding) { return finding.rule == rule; };
  const auto finding = std::find_if(findings.begin(), findings.end(), is);
  return finding == findings.end() ? nullptr : &*finding;
}

std::optional<double> readerFigure(const std::vector<Finding>& findings, std::string_view key) {
  const Finding* finding = findingOf(findings, RuleId::receivingApplicationTooSlow);
  EXPECT_NE(finding, nullptr);
  const Evidence* evidence = finding == nullptr ? nullptr : figureOf(finding->evidence, key);
  return evidence == nullptr ? std::nullopt : std::optional(evidence->value);
}

TEST(SlowReaderRules, OneThatGetsNoProcessorIsSaidToWaitForIt) {
  EXPECT_EQ(readerFigure(slowReaderFindings(waited(3s)), "processor_wait_ratio"), 0.6);
  EXPECT_EQ(readerFigure(slowReaderFindings(waited(50ms)), "processor_wait_ratio"), std::nullopt);
}

TEST(SlowReaderRules, OneThatOnceWaitedForAProcessorIsNotSaidToWaitForItNow) {
  const Moment before = ObservationBuilder().build().takenAt - 1h;
  EXPECT_EQ(readerFigure(slowReaderFindings(waited(3s, before)), "processor_wait_ratio"), std::nullopt);
}

TEST(SlowReaderRules, OneThatGetsNoProcessorWheneverItDoesNotKeepUpIsJudgedByThesePeriods) {
  const auto findings = slowReaderFindings(waited(3s), HeldUpPeriods{9, 7, 2700ms, 2100ms});
  EXPECT_EQ(readerFigure(findings, "periods_without_processor"), 7.0);
  EXPECT_EQ(readerFigure(findings, "processor_wait_us"), 2'100'000.0);
  EXPECT_EQ(readerFigure(findings, "processor_wait_ratio"), std::nullopt) << "one sentence about processors";
}

TEST(SlowReaderRules, OneThatPausesForLongerThanItWaitsForAProcessorIsNotJudgedByItsPeriods) {
  const auto findings = slowReaderFindings(waited(3s), HeldUpPeriods{5, 3, 4300ms, 300ms});
  EXPECT_EQ(readerFigure(findings, "periods_without_processor"), std::nullopt);
}

TEST(SlowReaderRules, OneThatWaitsForAProcessorAtOtherTimesIsNotJudgedByItsPeriods) {
  const auto findings = slowReaderFindings(waited(3s), HeldUpPeriods{9, 1, 3s, 100ms});
  EXPECT_EQ(readerFigure(findings, "periods_without_processor"), std::nullopt);
}

TEST(SlowReaderRules, OneWhoseMemoryIsOnADiskIsSaidToWaitForIt) {
  ProgramWaits waits = waited(0s);
  EXPECT_EQ(readerFigure(slowReaderFindings(waits), "major_faults_per_second"), std::nullopt);
  waits.majorFaults = 20;
  EXPECT_EQ(readerFigure(slowReaderFindings(waits), "major_faults_per_second"), std::nullopt)
      << "a program that starts";
  waits.majorFaults = 2'000;
  EXPECT_EQ(readerFigure(slowReaderFindings(waits), "major_faults_per_second"), 400.0);
}

TEST(SlowReaderRules, AProcessorThatDoesHardlyAnythingButPacketsIsNamed) {
  ProgramWaits waits = waited(0s);
  EXPECT_EQ(findingOf(slowReaderFindings(waits), RuleId::busyWithPackets), nullptr);
  waits.softirqRatio = 0.3;
  EXPECT_EQ(findingOf(slowReaderFindings(waits), RuleId::busyWithPackets), nullptr);
  waits.softirqRatio = 0.93;
  const auto findings = slowReaderFindings(waits);
  ASSERT_NE(findingOf(findings, RuleId::busyWithPackets), nullptr);
  EXPECT_EQ(findingOf(findings, RuleId::busyWithPackets)->evidence.front().value, 0.93);
}

}  // namespace
}  // namespace tcpscope
