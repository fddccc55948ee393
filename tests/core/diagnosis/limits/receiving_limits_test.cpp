#include <gtest/gtest.h>

#include "core/diagnosis/limits/limit_timeline.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::ObservationBuilder;

constexpr milliseconds kSecond{1000};

ObservationBuilder poll(milliseconds at, std::uint64_t received) {
  return ObservationBuilder().at(at).received(received).rtt(milliseconds(20), milliseconds(20));
}

TEST(ReceivingLimits, SilenceIsIdle) {
  EXPECT_EQ(receivingLimits(poll(milliseconds(0), 5).build(), poll(kSecond, 5).build()).span(Limit::idle), kSecond);
}

TEST(ReceivingLimits, UnreadDataThatFillsTheWindowIsTheApplication) {
  const auto now = poll(kSecond, 5'000).ownWindow(10'000).queues(60'000, 0).build();
  const LimitShares shares = receivingLimits(poll(milliseconds(0), 5).build(), now);
  EXPECT_EQ(shares.span(Limit::application), milliseconds(500));
}

TEST(ReceivingLimits, ALittleUnreadDataIsNobodysFault) {
  const auto before = poll(milliseconds(0), 5).queues(4'000, 0).build();
  EXPECT_EQ(receivingLimits(before, poll(kSecond, 5).queues(4'000, 0).build()).span(Limit::idle), kSecond);
}

TEST(ReceivingLimits, AWindowFilledEachRttIsReceiverLimited) {
  const LimitShares shares =
      receivingLimits(poll(milliseconds(0), 0).build(), poll(kSecond, 1'900'000).ownWindow(40'000).build());
  EXPECT_EQ(shares.span(Limit::receiver), kSecond);
}

TEST(ReceivingLimits, AWindowWithRoomLeavesItUnknown) {
  const LimitShares shares =
      receivingLimits(poll(milliseconds(0), 0).build(), poll(kSecond, 1'900'000).ownWindow(80'000).build());
  EXPECT_EQ(shares.span(Limit::unknown), kSecond);
}

TEST(ReceivingLimits, WithoutARoundTripTimeTheWindowIsNotBlamed) {
  const auto now = poll(kSecond, 1'900'000).ownWindow(40'000).set(tcp_info::kMinRtt, ~std::uint32_t{0}).build();
  EXPECT_EQ(receivingLimits(poll(milliseconds(0), 0).build(), now).span(Limit::unknown), kSecond);
}

TEST(ReceivingLimits, BeforeLinux62MemoryStandsForTheWindow) {
  const auto full = [](ObservationBuilder socket) {
    return socket.queues(60'000, 0).receiveMemory(120'000, 131'072).reportedBytes(232);
  };
  const LimitShares shares =
      receivingLimits(full(poll(milliseconds(0), 0)).build(), full(poll(kSecond, 50'000)).build());
  EXPECT_EQ(shares.span(Limit::application), kSecond);
}

}  // namespace
}  // namespace tcpscope
