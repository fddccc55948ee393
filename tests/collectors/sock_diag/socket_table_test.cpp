#include "collectors/sock_diag/socket_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tcpscope {
namespace {

Moment at(std::int64_t nanoseconds) {
  return Moment::fromNanoseconds(nanoseconds);
}

SocketAddress addressOf(std::uint64_t cookie, bool isIpv6, std::uint32_t interfaceIndex) {
  SocketAddress address;
  address.id = {PlaceId{2}, cookie};
  const auto low = static_cast<std::uint8_t>(cookie);
  address.local = {isIpv6 ? IpAddress::v6({0x20, 1, 0xd, 0xb8, low}) : IpAddress::v4({192, 0, 2, low}), 443};
  address.remote = {isIpv6 ? IpAddress::v6({0x20, 1, 0xd, 0xb9, low}) : IpAddress::v4({198, 51, 100, low}),
                    static_cast<std::uint16_t>(cookie)};
  address.interfaceIndex = interfaceIndex;
  return address;
}

TEST(SocketTable, DistinguishesNewChangedAndRepeatedSockets) {
  SocketTable table(PlaceId{2}, 100);
  table.beginDump();
  const SocketTable::Sighting first = table.see(7, 1, at(10));
  EXPECT_TRUE(first.isNew && first.changed && !first.before);
  EXPECT_TRUE(table.see(7, 1, at(11)).repeated);
  table.beginDump();
  const SocketTable::Sighting second = table.see(7, 1, at(20));
  EXPECT_FALSE(second.isNew || second.changed || second.repeated);
  EXPECT_EQ(second.before, at(10));
  table.beginDump();
  const SocketTable::Sighting third = table.see(7, 2, at(30));
  EXPECT_TRUE(third.changed && !third.isNew);
  EXPECT_EQ(third.before, at(20));
}

TEST(SocketTable, KeepsEveryKindOfAddress) {
  SocketTable table(PlaceId{2}, 100);
  table.beginDump();
  for (const bool isIpv6 : {false, true}) {
    for (const std::uint32_t interfaceIndex : {0U, 3U}) {
      const std::uint64_t cookie = 1 + interfaceIndex + (isIpv6 ? 100U : 0U);
      const SocketTable::Slot slot = table.see(cookie, 1, at(1)).slot;
      table.setAddress(slot, addressOf(cookie, isIpv6, interfaceIndex));
      EXPECT_EQ(table.address(slot), addressOf(cookie, isIpv6, interfaceIndex));
    }
  }
}

TEST(SocketTable, RefusesSocketsBeyondItsBudgetAndKeepsTheRest) {
  SocketTable table(PlaceId{2}, 1);
  table.beginDump();
  table.see(7, 1, at(1));
  EXPECT_TRUE(table.see(8, 1, at(1)).refused);
  EXPECT_EQ(table.size(), 1U);
  table.remove(7);
  EXPECT_FALSE(table.see(8, 1, at(1)).refused);
}

TEST(SocketTable, AgreesWithAPlainMapWhileSocketsComeAndGo) {
  SocketTable table(PlaceId{2}, 1'000'000);
  std::map<std::uint64_t, std::uint64_t> expected;
  std::mt19937_64 random(20);
  std::uint64_t nextCookie = 1;
  for (int dump = 0; dump < 60; ++dump) {
    for (int fresh = 0; fresh < 100; ++fresh) expected[nextCookie++] = random();
    std::vector<std::uint64_t> ended;
    for (const auto& entry : expected) {
      if (random() % 10 == 0) ended.push_back(entry.first);
    }
    for (const std::uint64_t cookie : ended) expected.erase(cookie);
    table.beginDump();
    for (auto& entry : expected) {
      const bool isKnown = table.contains(entry.first);
      const bool changes = random() % 20 == 0;
      if (changes) entry.second = random();
      const SocketTable::Sighting sighting = table.see(entry.first, entry.second, at(dump));
      ASSERT_EQ(sighting.isNew, !isKnown);
      ASSERT_EQ(sighting.changed, changes || !isKnown);
      if (sighting.isNew) table.setAddress(sighting.slot, addressOf(entry.first, entry.first % 2 == 0, 0));
    }
    std::size_t missing = 0;
    for (SocketTable::Slot slot = table.nextMissing(0); slot != SocketTable::kNoSlot;
         slot = table.nextMissing(slot + 1)) {
      const SocketAddress address = table.address(slot);
      ASSERT_EQ(address, addressOf(address.id.cookie, address.id.cookie % 2 == 0, 0));
      ASSERT_EQ(expected.count(address.id.cookie), 0U);
      table.remove(address.id.cookie);
      ++missing;
    }
    ASSERT_EQ(table.size(), expected.size()) << missing << " were missing";
  }
}

TEST(SocketTable, HoldsASocketInFewBytes) {
  SocketTable table(PlaceId{2}, 1'000'000);
  table.beginDump();
  constexpr std::size_t kSockets = 100'000;
  for (std::size_t cookie = 1; cookie <= kSockets; ++cookie) {
    table.setAddress(table.see(cookie, 1, at(1)).slot, addressOf(cookie, false, 0));
  }
  EXPECT_LE(table.memoryBytes() / kSockets, 64U);
}

}  // namespace
}  // namespace tcpscope
