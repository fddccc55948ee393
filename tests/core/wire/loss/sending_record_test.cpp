#include "core/wire/loss/sending_record.h"

#include <gtest/gtest.h>

#include "core/base/units.h"

namespace tcpscope {
namespace {

constexpr std::uint64_t kRoom = SendingRecord::kBlockPackets * SendingRecord::kBlocksAtMost;

/// Packet number n is sent n microseconds after the start.
SendingRecord recordOf(std::uint64_t packets) {
  SendingRecord record;
  for (std::uint64_t packet = 0; packet < packets; ++packet) {
    record.add(Moment() + Microseconds(static_cast<std::int64_t>(packet)));
  }
  return record;
}

TEST(SendingRecord, KeepsEachPacketOfAShortTransfer) {
  const SendingRecord record = recordOf(1000);
  EXPECT_EQ(record.packets(), 1000U);
  EXPECT_EQ(record.times().size(), 1000U);
  EXPECT_EQ(record.firstStretch().size(), 1000U);
  EXPECT_EQ(record.indexOf(999), 999U);
  EXPECT_FALSE(record.indexOf(1000));
}

TEST(SendingRecord, OfALongTransferKeepsBlocksAndKnowsWhichPacketsTheyHold) {
  const SendingRecord record = recordOf(10 * kRoom + 5000);
  EXPECT_EQ(record.packets(), 10 * kRoom + 5000);
  EXPECT_LE(record.times().size(), kRoom);
  EXPECT_GE(record.times().size(), kRoom / 2);
  EXPECT_EQ(record.firstStretch().size(), SendingRecord::kBlockPackets);
  std::size_t found = 0;
  for (std::uint64_t packet = 0; packet < record.packets(); ++packet) {
    const auto index = record.indexOf(packet);
    if (!index) continue;
    ASSERT_EQ(record.times()[*index], Moment() + Microseconds(static_cast<std::int64_t>(packet)));
    ++found;
  }
  EXPECT_EQ(found, record.times().size());
}

TEST(SendingRecord, NeverGoesBackInTime) {
  SendingRecord record;
  record.add(Moment() + Milliseconds(5));
  record.add(Moment() + Milliseconds(3));
  EXPECT_EQ(record.times()[1], Moment() + Milliseconds(5));
}

}  // namespace
}  // namespace tcpscope
