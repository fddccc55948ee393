// When a connection attempt began, when the next try comes and when the kernel gives up. The series were seen on
// Linux 6.18 with `ss -o`.
#include "core/diagnosis/evidence/retry_schedule.h"

#include <gtest/gtest.h>

#include "core/diagnosis/evidence/kernel_evidence.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::ObservationBuilder;

constexpr RetryLimits kUsual{Count(6), Count(4), Count(15)};

ConnectionEvidence evidenceOf(const ObservationBuilder& socket) {
  ConnectionEvidence evidence = kernelEvidence(socket.build(), {}, Side::sending);
  evidence.retries = kUsual;
  return evidence;
}

ConnectionEvidence synWith(std::uint8_t timeouts, milliseconds timeout, std::uint8_t doublings, milliseconds next) {
  return evidenceOf(ObservationBuilder().state(TcpState::synSent).unanswered(timeouts, timeout, doublings, next));
}

TEST(RetrySchedule, TheFirstTimeoutsOfASynAreNotDoubled) {
  EXPECT_EQ(sinceFirstTry(synWith(0, std::chrono::seconds(1), 0, milliseconds(92))), milliseconds(908));
  EXPECT_EQ(sinceFirstTry(synWith(4, std::chrono::seconds(1), 0, milliseconds(168))), milliseconds(4'832));
  EXPECT_EQ(sinceFirstTry(synWith(5, std::chrono::seconds(2), 1, milliseconds(188))), milliseconds(6'812));
  EXPECT_EQ(sinceFirstTry(synWith(6, std::chrono::seconds(4), 2, milliseconds(2'200))), milliseconds(8'800));
}

TEST(RetrySchedule, AnAttemptEndsAtTheSameTimeHoweverLateItIsSampled) {
  // 5 s without doubling, then 2 + 4 + 8 + 16 + 32 s, and the last timeout of 64 s.
  const Nanoseconds whole = std::chrono::seconds(131);
  for (const auto& evidence : {synWith(0, std::chrono::seconds(1), 0, milliseconds(1'000)),
                               synWith(4, std::chrono::seconds(1), 0, std::chrono::seconds(1)),
                               synWith(6, std::chrono::seconds(4), 2, std::chrono::seconds(4)),
                               synWith(10, std::chrono::seconds(64), 6, std::chrono::seconds(64))}) {
    EXPECT_EQ(*sinceFirstTry(evidence) + *untilGivenUp(evidence), whole);
  }
}

TEST(RetrySchedule, KernelsWithoutTheSettingDoubleFromTheFirstTry) {
  ConnectionEvidence evidence = synWith(2, std::chrono::seconds(4), 2, std::chrono::seconds(4));
  evidence.retries.synLinear.reset();
  EXPECT_EQ(sinceFirstTry(evidence), std::chrono::seconds(3));
  EXPECT_EQ(untilGivenUp(evidence), std::chrono::seconds(127 - 3));
}

TEST(RetrySchedule, DataIsGivenUpByTheNumberOfTriesWhateverTheTimeout) {
  // tcp_retries2 of 15 stands for 924.6 s from the first retransmission on.
  const auto evidence =
      evidenceOf(ObservationBuilder().inFlight(1).unanswered(3, milliseconds(1'600), 3, milliseconds(1'600)));
  EXPECT_EQ(sinceFirstTry(evidence), milliseconds(1'400));
  EXPECT_EQ(untilGivenUp(evidence), milliseconds(924'600 - 1'200));
}

TEST(RetrySchedule, DataIsGivenUpByTheTimeoutThatTheProgramSet) {
  // Three retransmissions at 200, 600 and 1,400 ms: 1.2 s since the first of them.
  auto evidence =
      evidenceOf(ObservationBuilder().inFlight(1).unanswered(3, milliseconds(1'600), 3, milliseconds(1'600)));
  evidence.userTimeout = milliseconds(20'000);
  EXPECT_EQ(untilGivenUp(evidence), milliseconds(20'000 - 1'200)) << "tcp_retries2 does not count then";
  evidence.userTimeout = milliseconds(2'000'000);
  EXPECT_EQ(untilGivenUp(evidence), milliseconds(2'000'000 - 1'200)) << "nor where it is shorter";
  evidence.userTimeout = milliseconds(1'000);
  EXPECT_EQ(untilGivenUp(evidence), milliseconds(1'600)) << "nothing ends between two timers";
  evidence.userTimeout = milliseconds(0);
  EXPECT_EQ(untilGivenUp(evidence), milliseconds(924'600 - 1'200)) << "none was set";
}

TEST(RetrySchedule, AnAttemptEndsByWhicheverIsFirst) {
  ConnectionEvidence evidence = synWith(4, std::chrono::seconds(1), 0, milliseconds(1'000));
  const auto byTries = untilGivenUp(evidence);
  evidence.userTimeout = std::chrono::seconds(10);
  // Seen: with 6 s, connect() fails 6.03 s after it was called.
  EXPECT_EQ(untilGivenUp(evidence), std::chrono::seconds(10 - 4)) << "4 s after the SYN";
  evidence.userTimeout = std::chrono::minutes(10);
  EXPECT_EQ(untilGivenUp(evidence), byTries);
}

TEST(RetrySchedule, WhatIsNotReportedIsUnknown) {
  ConnectionEvidence withoutSettings = synWith(1, std::chrono::seconds(1), 0, std::chrono::seconds(1));
  withoutSettings.retries = {};
  EXPECT_EQ(untilGivenUp(withoutSettings), std::nullopt);
  EXPECT_EQ(sinceFirstTry(evidenceOf(ObservationBuilder())), std::nullopt) << "no timer runs";
  EXPECT_EQ(sinceFirstTry(synWith(12, std::chrono::minutes(2), 7, std::chrono::seconds(3))), std::nullopt)
      << "from the longest timeout on the doublings do not show";
}

}  // namespace
}  // namespace tcpscope
