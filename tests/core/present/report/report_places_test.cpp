// Which hosts and network namespaces a report describes.
#include <gmock/gmock.h>

#include "core/present/report/report_model.h"
#include "core/present/text/report_text.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using testing::EndsWith;

/// The example's, and that of two containers beside it.
ReportInput inputWithContainers() {
  ReportInput input = test::reportInput("nginx");
  auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
  for (const std::uint32_t number : {1U, 2U}) {
    Place place = snapshot->places.front();
    place.id = placeOfNamespace(PlaceId{0}, number);
    place.networkNamespace = std::to_string(4026532000U + number);
    place.container = "shop-" + std::to_string(number);
    snapshot->places.push_back(place);
  }
  input.snapshot = std::move(snapshot);
  return input;
}

TEST(ReportPlaces, AreThoseOfItsConnectionsAndListeners) {
  ReportInput input = inputWithContainers();
  ASSERT_EQ(input.snapshot->places.size(), 3U);
  ReportModel report = makeReport(input);
  ASSERT_EQ(report.places.size(), 1U);
  EXPECT_EQ(report.places[0].id, PlaceId{0});
  auto detail = std::make_shared<ConnectionDetail>(*input.details.front());
  detail->row.id.place = placeOfNamespace(PlaceId{0}, 2);
  input.details = {detail};
  report = makeReport(input);
  ASSERT_EQ(report.places.size(), 2U) << "that of the connection, and that of a listener with a finding";
  EXPECT_EQ(report.places[1].container, "shop-2");
}

TEST(ReportPlaces, AreAllWhereNothingIsReported) {
  ReportInput input = inputWithContainers();
  auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
  snapshot->listeners.clear();
  input.snapshot = std::move(snapshot);
  input.details.clear();
  EXPECT_EQ(makeReport(input).places.size(), 3U);
}

TEST(ReportPlaces, OfOneHostDifferByTheirNamespaces) {
  const auto places = inputWithContainers().snapshot->places;
  EXPECT_THAT(sentence(places[2], places), EndsWith(", network namespace shop-2"));
  EXPECT_EQ(sentence(places[0], {places[0]}), sentence(places[0]));
}

}  // namespace
}  // namespace tcpscope
