#include "core/model/connection_id.h"

#include <gtest/gtest.h>

#include <unordered_set>

namespace tcpscope {
namespace {

TEST(ConnectionId, IsPlaceAndCookieInText) {
  EXPECT_EQ((ConnectionId{PlaceId{0}, 0x1a2b}.toString()), "0:1a2b");
  EXPECT_EQ((ConnectionId{PlaceId{12}, ~std::uint64_t{0}}.toString()), "12:ffffffffffffffff");
}

TEST(ConnectionId, DistinguishesTheSameCookieAtTwoPlaces) {
  const ConnectionId here{PlaceId{0}, 7};
  const ConnectionId there{PlaceId{1}, 7};
  EXPECT_NE(here, there);
  EXPECT_NE(std::hash<ConnectionId>{}(here), std::hash<ConnectionId>{}(there));
}

TEST(PlaceId, OfANamespaceLeadsBackToItsNumberAtItsHostAlone) {
  for (const std::uint32_t host : {0U, 1U, 500'000U}) {
    for (const std::uint32_t number : {0U, 17U, kMostNamespaces - 1}) {
      const PlaceId place = placeOfNamespace(PlaceId{host}, number);
      EXPECT_EQ(namespaceNumber(place, PlaceId{host}), number);
      EXPECT_EQ(namespaceNumber(place, PlaceId{host + 1}), std::nullopt);
      EXPECT_NE(place, PlaceId{host});
    }
    EXPECT_EQ(namespaceNumber(PlaceId{host}, PlaceId{host}), std::nullopt) << "the host's own";
    for (std::uint32_t number = 0; number < kMostNamespaces; ++number) {
      const PlaceId place = placeOfNamespace(PlaceId{host}, number);
      EXPECT_EQ(namespaceNumber(PlaceId{2'000'000}, place), std::nullopt) << "a namespace has none";
    }
  }
}

TEST(ConnectionId, SpreadsCookiesThatFollowEachOther) {
  std::unordered_set<std::size_t> upperBytes;
  for (std::uint64_t cookie = 0; cookie < 256; ++cookie) {
    upperBytes.insert(std::hash<ConnectionId>{}(ConnectionId{PlaceId{0}, cookie}) >> 56);
  }
  EXPECT_GT(upperBytes.size(), 128U);
}

}  // namespace
}  // namespace tcpscope
