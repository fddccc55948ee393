#include "core/wire/loss/loss_record.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Loss lossAt(std::uint64_t position) {
  return {Moment() + Microseconds(static_cast<std::int64_t>(position)), position, std::nullopt};
}

TEST(LossRecord, TakesLossesInAnyOrderAndEachOnce) {
  LossRecord record;
  for (const std::uint64_t position : {7U, 3U, 7U, 5U}) record.addLoss(lossAt(position));
  ASSERT_EQ(record.losses().size(), 3U);
  EXPECT_EQ(record.losses()[0].position, 3U);
  EXPECT_EQ(record.losses()[2].position, 7U);
}

TEST(LossRecord, TakesBackWhatHadArrived) {
  LossRecord record;
  record.addLoss(lossAt(3));
  record.addLoss(lossAt(5));
  record.addSpurious(3);
  EXPECT_EQ(record.lostPackets(), 1U);
  EXPECT_EQ(record.spuriousPackets(), 1U);
}

TEST(LossRecord, KeepsTheFirstOfTooManyAndCountsTheRest) {
  LossRecord record;
  for (int packet = 0; packet < 200'000; ++packet) record.addSent(Moment() + Microseconds(packet));
  for (std::uint64_t position = 100'000; position > 0; --position) record.addLoss(lossAt(position));
  EXPECT_EQ(record.lostPackets(), 100'000U);
  EXPECT_EQ(record.losses().size(), kLossesAtMost);
  EXPECT_EQ(record.losses().front().position, 1U);
  EXPECT_EQ(record.coveredPackets(), kLossesAtMost + 1);
}

TEST(LossRecord, CoversAllPacketsWhereItKeepsAllLosses) {
  LossRecord record;
  for (int packet = 0; packet < 100; ++packet) record.addSent(Moment() + Microseconds(packet));
  record.addLoss(lossAt(10));
  EXPECT_EQ(record.coveredPackets(), 100U);
}

}  // namespace
}  // namespace tcpscope
