#include "collectors/sock_diag/namespace_activity.h"

#include <gtest/gtest.h>

#include "tests/support/serving_namespace.h"

namespace tcpscope {
namespace {

TEST(NamespaceActivity, SaysWhatTheCountersOfTheNamespaceSay) {
  test::ServingNamespace other;
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  ActivityWatch watch = ActivityWatch::in(*NetworkNamespace::parse(other.pid()));
  EXPECT_EQ(watch.sample(), NamespaceActivity::unknown) << "nothing to compare with";
  EXPECT_EQ(watch.sample(), NamespaceActivity::quiet);
  other.send();
  EXPECT_EQ(watch.sample(), NamespaceActivity::busy);
  EXPECT_EQ(watch.sample(), NamespaceActivity::quiet);
  other.connect();
  EXPECT_EQ(watch.sample(), NamespaceActivity::busy);
}

TEST(NamespaceActivity, IsUnknownOfANamespaceThatIsNotThere) {
  ActivityWatch watch = ActivityWatch::in(*NetworkNamespace::parse("no-such-namespace-here"));
  watch.sample();
  EXPECT_EQ(watch.sample(), NamespaceActivity::unknown);
}

}  // namespace
}  // namespace tcpscope
