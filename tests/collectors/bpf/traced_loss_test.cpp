// Records of the program in the kernel: each is written here member by member, as kernel_record.h has them.
#include "collectors/bpf/traced_loss.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>

namespace tcpscope {
namespace {

KernelRecord recordOfDrop() {
  KernelRecord record{};
  record.kind = kRecordOfDrop;
  record.atNanoseconds = 4711;
  record.reason = 12;
  record.sequence = 17;
  record.sequenceLength = 1448;
  record.networkNamespace = 4026531833U;
  record.family = AF_INET;
  record.sourcePort = 50'000;
  record.destinationPort = 443;
  std::ranges::copy(std::array<std::uint8_t, 4>{192, 0, 2, 1}, record.source);
  std::ranges::copy(std::array<std::uint8_t, 4>{198, 51, 100, 7}, record.destination);
  return record;
}

std::span<const std::byte> bytesOf(const KernelRecord& record) {
  return std::as_bytes(std::span(&record, 1));
}

TEST(KernelRecord, ADropHasItsSegmentAndItsReason) {
  const auto event = decodeKernelRecord(bytesOf(recordOfDrop()));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->segment.source.toString(), "192.0.2.1:50000");
  EXPECT_EQ(event->segment.destination.toString(), "198.51.100.7:443");
  EXPECT_EQ(event->segment.at, Moment::fromNanoseconds(4711));
  EXPECT_EQ(event->segment.sequence, 17U);
  EXPECT_EQ(event->segment.sequenceLength, 1448U);
  EXPECT_EQ(event->segment.networkNamespace, 4026531833U);
  EXPECT_EQ(event->dropReason, 12U);
}

TEST(KernelRecord, ARetransmissionHasNoReasonButABeginning) {
  KernelRecord record = recordOfDrop();
  record.kind = kRecordOfRetransmission;
  record.begunNanoseconds = 4700;
  const auto event = decodeKernelRecord(bytesOf(record));
  ASSERT_TRUE(event);
  EXPECT_FALSE(event->dropReason);
  EXPECT_EQ(event->begun, Moment::fromNanoseconds(4700));
}

TEST(KernelRecord, ANamespaceThatTheKernelDoesNotKnowIsUnknown) {
  KernelRecord record = recordOfDrop();
  record.networkNamespace = 0;
  EXPECT_FALSE(decodeKernelRecord(bytesOf(record))->segment.networkNamespace);
}

TEST(KernelRecord, MappedAddressesAreThoseOfThePackets) {
  KernelRecord record = recordOfDrop();
  record.family = AF_INET6;
  std::ranges::fill(record.source, std::uint8_t{0});
  std::ranges::copy(std::array<std::uint8_t, 6>{0xff, 0xff, 192, 0, 2, 1}, record.source + 10);
  record.destination[0] = 0xfe;
  record.destination[1] = 0x80;
  const auto event = decodeKernelRecord(bytesOf(record));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->segment.source.toString(), "192.0.2.1:50000");
  EXPECT_EQ(event->segment.destination.address.family(), AddressFamily::ipv6);
}

TEST(KernelRecord, WhatIsNoneGivesNothing) {
  KernelRecord record = recordOfDrop();
  EXPECT_FALSE(decodeKernelRecord(bytesOf(record).first(sizeof record - 1)));
  record.family = AF_UNIX;
  EXPECT_FALSE(decodeKernelRecord(bytesOf(record)));
  record = recordOfDrop();
  record.kind = 3;
  EXPECT_FALSE(decodeKernelRecord(bytesOf(record)));
}

}  // namespace
}  // namespace tcpscope
