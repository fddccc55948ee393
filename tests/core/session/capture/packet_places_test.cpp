#include "core/session/capture/packet_places.h"

#include <gmock/gmock.h>

namespace tcpscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kEnough = 1 << 20;

std::vector<PacketPlace> placesOf(const PacketPlaces& places, std::uint32_t connection) {
  std::vector<PacketPlace> all;
  PacketPlaces::Walk walk = places.of(connection);
  for (PacketPlace place; walk.next(place);) all.push_back(place);
  return all;
}

TEST(PacketPlaces, KeepTheirOrderByConnection) {
  PacketPlaces places(kEnough);
  places.add(0, {24, 0});
  places.add(1, {106, 1});
  places.add(0, {1636, 2});
  places.add(0, {1718, 3});
  EXPECT_THAT(placesOf(places, 0), ElementsAre(PacketPlace{24, 0}, PacketPlace{1636, 2}, PacketPlace{1718, 3}));
  EXPECT_THAT(placesOf(places, 1), ElementsAre(PacketPlace{106, 1}));
  EXPECT_THAT(placesOf(places, 2), IsEmpty());
}

TEST(PacketPlaces, ReachAsFarAsFilesDo) {
  PacketPlaces places(kEnough);
  const PacketPlace first{(std::uint64_t{1} << 40U) + 7, 999'999'999};
  const PacketPlace last{0xFFFF'FFFF'FFFF'FFFF, 0xFFFF'FFFF'FFFF'FFFF};
  places.add(3, first);
  places.add(3, last);
  EXPECT_THAT(placesOf(places, 3), ElementsAre(first, last));
}

TEST(PacketPlaces, TakeAFewBytesAPacket) {
  constexpr std::uint64_t kPackets = 100'000;
  PacketPlaces places(kEnough);
  // Full packets of a connection that has every tenth of them.
  for (std::uint64_t packet = 0; packet < kPackets; ++packet) places.add(0, {packet * 15'300, packet * 10});
  EXPECT_TRUE(places.areKnown());
  EXPECT_LT(places.residentBytes(), 8 * kPackets);
}

TEST(PacketPlaces, AreForgottenWhereTheyTakeTooMuch) {
  PacketPlaces places(1'000);
  for (std::uint64_t packet = 0; packet < 1'000; ++packet) places.add(0, {packet * 100, packet});
  EXPECT_FALSE(places.areKnown());
  EXPECT_THAT(placesOf(places, 0), IsEmpty());
  EXPECT_EQ(places.residentBytes(), 0U);
}

}  // namespace
}  // namespace tcpscope
