#include "core/host/place.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(Place, HasTheNameOfANamespaceThatHasOne) {
  Place place;
  place.networkNamespace = "web";
  EXPECT_EQ(place.namespaceName(), "web");
  place.networkNamespace = "4026531840";
  EXPECT_EQ(place.namespaceName(), std::nullopt) << "an inode";
  place.networkNamespace.clear();
  EXPECT_EQ(place.namespaceName(), std::nullopt) << "not known";
}

TEST(Place, IsKnownByItsContainerWhereItHasNoName) {
  Place place;
  place.networkNamespace = "4026531840";
  EXPECT_EQ(place.namespaceLabel(), "4026531840");
  place.container = "shop-db";
  EXPECT_EQ(place.namespaceLabel(), "shop-db");
  EXPECT_EQ(place.namespaceName(), std::nullopt) << "ip-netns(8) does not know a container by its name";
}

}  // namespace
}  // namespace tcpscope
