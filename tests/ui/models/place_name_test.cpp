#include "ui/models/place_name.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Place place(std::uint32_t number, const char* host, const char* networkNamespace) {
  Place result;
  result.id = PlaceId{number};
  result.host = UntrustedText(host);
  result.networkNamespace = networkNamespace;
  return result;
}

TEST(PlaceName, IsTheHostWhereThatDistinguishesPlaces) {
  EXPECT_EQ(placeName(PlaceId{1}, {place(0, "laptop", "net:[1]"), place(1, "server", "net:[2]")}), "server");
}

TEST(PlaceName, AddsTheNamespaceWhereOneHostHasSeveral) {
  const std::vector<Place> places = {place(0, "laptop", "net:[1]"), place(1, "laptop", "blue")};
  EXPECT_EQ(placeName(PlaceId{0}, places), "net:[1] on laptop");
  EXPECT_EQ(placeName(PlaceId{1}, places), "blue on laptop");
}

TEST(PlaceName, LeavesOutTheNumberOfTheNamespaceThatThisProgramIsIn) {
  const std::vector<Place> places = {place(0, "laptop", "4026531840"), place(1, "laptop", "4026532201")};
  EXPECT_EQ(placeName(PlaceId{0}, places), "laptop");
  EXPECT_EQ(placeName(PlaceId{1}, places), "4026532201 on laptop");
}

TEST(PlaceName, LeavesItOutForTheAgentOfAHostWithSeveral) {
  const std::vector<Place> places = {place(5, "db1", "4026531840"),
                                     place(placeOfNamespace(PlaceId{5}, 7).number, "db1", "web")};
  EXPECT_EQ(placeName(places[0].id, places), "db1");
  EXPECT_EQ(placeName(places[1].id, places), "web on db1");
}

TEST(PlaceName, IsADashForAPlaceThatIsNotKnown) {
  EXPECT_EQ(placeName(PlaceId{7}, {place(0, "laptop", "")}), "–");
}

TEST(PlaceName, ReportsThatAHostIsDisconnected) {
  std::vector<Place> places = {place(0, "laptop", "net:[1]"), place(1, "server", "net:[2]")};
  places[1].lostSince = Moment();
  EXPECT_EQ(placeName(PlaceId{0}, places), "laptop");
  EXPECT_EQ(placeName(PlaceId{1}, places), "disconnected: server");
  EXPECT_TRUE(placeDescription(PlaceId{1}, places).contains("disconnected"));
}

TEST(PlaceName, AHostThatCallsItselfByControlCharactersIsCleaned) {
  const std::vector<Place> places = {place(0, "ev\x1b[31mil", "net:[1]")};
  EXPECT_FALSE(placeName(PlaceId{0}, places).contains(QChar(0x1b)));
  EXPECT_FALSE(placeDescription(PlaceId{0}, places).contains(QChar(0x1b)));
}

}  // namespace
}  // namespace tcpscope
