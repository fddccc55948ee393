#include <gtest/gtest.h>

#include "core/diagnosis/limits/limit_timeline.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::ObservationBuilder;

constexpr milliseconds kSentFor{1000};

ObservationBuilder atStart() {
  return ObservationBuilder().at(milliseconds(0)).inFlight(100).notSent(100'000);
}

ObservationBuilder aSecondLater() {
  return atStart().at(kSentFor).acked(1'000'000);
}

TEST(SendingLimits, SplitsBusyTimeByTheKernelsChronographs) {
  const LimitShares shares = sendingLimits(
      atStart().build(), aSecondLater().chronographs(milliseconds(900), milliseconds(300), milliseconds(200)).build());
  EXPECT_EQ(shares.span(Limit::receiver), milliseconds(300));
  EXPECT_EQ(shares.span(Limit::sendBuffer), milliseconds(200));
  EXPECT_EQ(shares.span(Limit::network), milliseconds(400));
  EXPECT_EQ(shares.span(Limit::application), milliseconds(100));
  EXPECT_EQ(shares.observed(), kSentFor);
}

TEST(SendingLimits, SamplesCloserTogetherThanKernelTicksAddUpToTheWhole) {
  constexpr milliseconds kTick{4};
  constexpr milliseconds kPoll{10};
  // Behind a closed window for two seconds: no data arrives, and every tick is the receiver's.
  const auto lookAt = [&](milliseconds time) {
    const milliseconds reported = time / kTick * kTick;
    return atStart().at(time).chronographs(reported, reported).build();
  };
  LimitShares shares;
  ChronographCarry carry;
  for (milliseconds time{0}; time < milliseconds(2000); time += kPoll) {
    shares += sendingLimits(lookAt(time), lookAt(time + kPoll), carry);
  }
  EXPECT_EQ(shares.observed(), milliseconds(2000));
  EXPECT_GT(shares.ratio(Limit::receiver), 0.995);
}

TEST(SendingLimits, SilenceWithoutDataIsIdle) {
  const LimitShares shares = sendingLimits(atStart().build(), atStart().at(kSentFor).build());
  EXPECT_EQ(shares.span(Limit::idle), kSentFor);
}

TEST(SendingLimits, TimeInTimeoutIsSplitOff) {
  const LimitShares shares =
      sendingLimits(atStart().build(), aSecondLater().chronographs(kSentFor).timeouts(1, milliseconds(400)).build());
  EXPECT_EQ(shares.span(Limit::timeout), milliseconds(400));
  EXPECT_EQ(shares.span(Limit::network), milliseconds(600));
}

TEST(SendingLimits, TheWaitForATimerCountsAsTimeInTimeout) {
  // The chronograph begins when the timer fires; until then the sender waited for it.
  const auto timed = [](ObservationBuilder builder, std::uint16_t episodes) {
    constexpr std::uint32_t kRtoUs = 200'000;
    return builder.set(tcp_info::kRto, kRtoUs).set(tcp_info::kTotalRtoRecoveries, episodes).build();
  };
  const auto before = timed(atStart(), 0);
  const auto now = timed(aSecondLater().chronographs(kSentFor).timeouts(2, milliseconds(50)), 2);
  EXPECT_EQ(sendingLimits(before, now).span(Limit::timeout), milliseconds(450));
}

TEST(SendingLimits, AWaitThatIsLongerThanTheStepCountsInTheStepsToCome) {
  constexpr milliseconds kPoll{100};
  ChronographCarry carry;
  LimitShares shares;
  const auto poll = [&](int number, std::uint16_t episodes) {
    return atStart()
        .at(number * kPoll)
        .acked(1000 * static_cast<std::uint64_t>(number))
        .chronographs(number * kPoll)
        .set(tcp_info::kRto, 250'000U)
        .set(tcp_info::kTotalRtoRecoveries, episodes)
        .build();
  };
  for (int number = 0; number < 9; ++number) {
    shares += sendingLimits(poll(number, number > 0 ? 1 : 0), poll(number + 1, 1), carry);
  }
  EXPECT_EQ(shares.span(Limit::timeout), milliseconds(250));
  EXPECT_EQ(shares.observed(), milliseconds(900));
}

TEST(SendingLimits, WithoutTheTimeoutChronographTheStateSpeaks) {
  constexpr std::size_t kBeforeLinux67 = 240;
  const auto before = atStart().caState(CaState::loss).reportedBytes(kBeforeLinux67).build();
  const auto now = aSecondLater().chronographs(kSentFor).caState(CaState::loss).reportedBytes(kBeforeLinux67).build();
  EXPECT_EQ(sendingLimits(before, now).span(Limit::timeout), kSentFor);
}

TEST(SendingLimits, ASampleInRecoveryCountsForTheAdjacentHalf) {
  const LimitShares shares =
      sendingLimits(atStart().build(), aSecondLater().chronographs(kSentFor).caState(CaState::recovery).build());
  EXPECT_EQ(shares.span(Limit::recovery), milliseconds(500));
  EXPECT_EQ(shares.span(Limit::network), milliseconds(500));
}

TEST(SendingLimits, RecoveryIsTheNetworksWhereBbrSendsThroughTheLoss) {
  const auto recovering = [](ObservationBuilder socket, std::uint32_t lost) {
    return socket.congestionControl("bbr")
        .caState(CaState::recovery)
        .dataSegmentsOut(lost == 0 ? 0 : 100)
        .retransmitted(lost);
  };
  for (const auto& [lost, limit] : {std::pair{10U, Limit::network}, std::pair{15U, Limit::recovery}}) {
    const LimitShares shares = sendingLimits(recovering(atStart(), 0).build(),
                                             recovering(aSecondLater(), lost).chronographs(kSentFor).build());
    EXPECT_EQ(shares.span(limit), kSentFor) << lost;
  }
}

TEST(SendingLimits, WithoutTheStateOfRecoveryRepairsAreNotTakenForTheNetwork) {
  const auto poll = [](std::uint32_t lost) {
    return aSecondLater().chronographs(kSentFor).set(tcp_info::kLost, lost).without(tcp_info::kCaState).build();
  };
  const auto before = atStart().without(tcp_info::kCaState).build();
  EXPECT_EQ(sendingLimits(before, poll(0)).span(Limit::network), kSentFor) << "nothing is being repaired";
  const LimitShares shares = sendingLimits(before, poll(3));
  EXPECT_EQ(shares.span(Limit::unknown), milliseconds(500));
  EXPECT_EQ(shares.span(Limit::network), milliseconds(500));
}

TEST(SendingLimits, BusyTimeOfAProgramThatWritesRarelyIsTheApplications) {
  const auto drip = [](ObservationBuilder socket) { return socket.inFlight(3).applicationLimited(true).notSent(552); };
  const LimitShares shares =
      sendingLimits(drip(atStart()).build(), drip(aSecondLater()).chronographs(kSentFor).build());
  EXPECT_EQ(shares.span(Limit::application), kSentFor);
}

TEST(SendingLimits, AWholeSegmentWaitingIsNotTheApplications) {
  const auto waiting = [](ObservationBuilder socket) {
    return socket.inFlight(3).applicationLimited(true).notSent(1448);
  };
  const LimitShares shares =
      sendingLimits(waiting(atStart()).build(), waiting(aSecondLater()).chronographs(kSentFor).build());
  EXPECT_EQ(shares.span(Limit::application), Nanoseconds::zero());
}

TEST(SendingLimits, NoShareExceedsTheStepWhenChronographsTickLate) {
  const LimitShares shares =
      sendingLimits(atStart().build(),
                    aSecondLater().at(milliseconds(998)).chronographs(milliseconds(1004), milliseconds(1004)).build());
  EXPECT_EQ(shares.span(Limit::receiver), milliseconds(998));
  EXPECT_EQ(shares.observed(), milliseconds(998));
}

TEST(SendingLimits, AChronographThatSteppedBackCountsAsZero) {
  const LimitShares shares = sendingLimits(atStart().chronographs(milliseconds(104), milliseconds(104)).build(),
                                           aSecondLater().chronographs(milliseconds(604), milliseconds(100)).build());
  EXPECT_EQ(shares.span(Limit::receiver), Nanoseconds::zero());
  EXPECT_EQ(shares.span(Limit::network), milliseconds(500));
}

TEST(SendingLimits, AreUnknownWithoutChronographs) {
  const LimitShares shares =
      sendingLimits(atStart().reportedBytes(160).build(), aSecondLater().reportedBytes(160).build());
  EXPECT_EQ(shares.span(Limit::unknown), kSentFor);
}

TEST(SendingLimits, AreEmptyWhereNoTimePassed) {
  EXPECT_EQ(sendingLimits(atStart().build(), atStart().build()).observed(), Nanoseconds::zero());
}

}  // namespace
}  // namespace tcpscope
