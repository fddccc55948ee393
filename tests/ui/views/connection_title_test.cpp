#include <gtest/gtest.h>

#include "tests/ui/support/snapshot_drawing.h"
#include "ui/views/scope/shown_connections.h"

namespace tcpscope {
namespace {

TEST(ConnectionTitle, NamesThePlaceWhereThereAreSeveral) {
  auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotOf({{1}}));
  Place own;
  own.host = UntrustedText("web");
  own.networkNamespace = "shop";
  snapshot->places = {own};
  const ConnectionRow row = snapshot->row(0);
  const QString alone = connectionTitle(*snapshot, row);
  Place other = own;
  other.id = PlaceId{1};
  other.networkNamespace = "mail";
  snapshot->places.push_back(other);
  EXPECT_EQ(connectionTitle(*snapshot, row), QStringLiteral("shop on web: ") + alone);
}

}  // namespace
}  // namespace tcpscope
