#include "collectors/pcap/header_ring.h"

#include <gtest/gtest.h>

#include <array>

namespace tcpscope {
namespace {

constexpr std::size_t kPacketBytes = 100;

WallTime at(std::int64_t milliseconds) {
  return WallTime::fromNanoseconds(milliseconds * 1'000'000);
}

/// Packet number n comes after n milliseconds and consists of the lowest byte of n.
void push(HeaderRing& ring, std::uint64_t from, std::uint64_t to) {
  std::array<std::byte, kPacketBytes> bytes{};
  CapturedFrame frame;
  frame.wireBytes = 1500;
  frame.bytes = bytes;
  for (std::uint64_t number = from; number < to; ++number) {
    bytes.fill(static_cast<std::byte>(number & 0xff));
    frame.time = at(static_cast<std::int64_t>(number));
    ring.push(frame);
  }
}

TEST(HeaderRing, ReturnsTheHeadersThatWereAdded) {
  HeaderRing ring(Bytes(0));
  push(ring, 0, 300);
  std::uint64_t number = 0;
  ring.forEach([&](const CapturedFrame& frame) {
    EXPECT_EQ(frame.number, number);
    EXPECT_EQ(frame.time, at(static_cast<std::int64_t>(number)));
    EXPECT_EQ(frame.wireBytes, 1500U);
    ASSERT_EQ(frame.bytes.size(), kPacketBytes);
    EXPECT_EQ(frame.bytes.back(), static_cast<std::byte>(number & 0xff));
    ++number;
  });
  EXPECT_EQ(number, 300U);
  EXPECT_EQ(ring.discarded(), 0U);
}

TEST(HeaderRing, LetsTheOldestGoAndCountsThem) {
  HeaderRing ring(Bytes(std::uint64_t{4} << 20U));
  push(ring, 0, 100'000);
  EXPECT_EQ(ring.size() + ring.discarded(), 100'000U);
  EXPECT_GT(ring.discarded(), 0U);
  // Four blocks of a megabyte, one of them just begun at the worst.
  EXPECT_GT(ring.size(), 3U * (1U << 20U) / 130U);
  EXPECT_LT(ring.size(), 4U * (1U << 20U) / kPacketBytes);
  EXPECT_EQ(ring.oldest(), at(static_cast<std::int64_t>(ring.discarded())));
  std::uint64_t number = ring.discarded();
  ring.forEach([&](const CapturedFrame& frame) { ASSERT_EQ(frame.number, number++); });
  EXPECT_EQ(number, 100'000U);
}

TEST(HeaderRing, APacketWithoutATimeHasTheOneBefore) {
  HeaderRing ring(Bytes(0));
  push(ring, 5, 6);
  ring.push(CapturedFrame{});
  std::optional<WallTime> last;
  ring.forEach([&](const CapturedFrame& frame) { last = frame.time; });
  EXPECT_EQ(last, at(5));
}

}  // namespace
}  // namespace tcpscope
