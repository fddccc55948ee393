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

}  // namespace
}  // namespace tcpscope
