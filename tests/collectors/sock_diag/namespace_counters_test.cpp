#include "collectors/sock_diag/namespace_counters.h"

#include <gtest/gtest.h>

#include "tests/support/serving_namespace.h"

namespace tcpscope {
namespace {

TEST(NamespaceCounters, CountSegmentsAndOpeningsApart) {
  test::ServingNamespace other;
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  NamespaceCounters counters = NamespaceCounters::in(*NetworkNamespace::parse(other.pid()));
  const NamespaceCounters::SinceLast first = counters.sinceLast();
  EXPECT_FALSE(first.nothingMoved || first.nothingOpened) << "nothing to compare with";
  EXPECT_TRUE(counters.sinceLast().nothingMoved);

  other.send();
  const NamespaceCounters::SinceLast sent = counters.sinceLast();
  EXPECT_FALSE(sent.nothingMoved);
  EXPECT_TRUE(sent.nothingOpened);
  // The acknowledgment may come later.
  while (!counters.sinceLast().nothingMoved) {
  }

  other.connect();
  const NamespaceCounters::SinceLast connected = counters.sinceLast();
  EXPECT_FALSE(connected.nothingMoved || connected.nothingOpened);

  other.listen();
  const NamespaceCounters::SinceLast listening = counters.sinceLast();
  EXPECT_TRUE(listening.nothingOpened) << "no segment of TCP";
}

TEST(NamespaceCounters, CountWhatWasSentAndReceived) {
  test::ServingNamespace other;
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  NamespaceCounters counters = NamespaceCounters::in(*NetworkNamespace::parse(other.pid()));
  EXPECT_FALSE(counters.lastSegments()) << "nothing was asked yet";
  counters.sinceLast();
  const auto before = counters.lastSegments();
  ASSERT_TRUE(before);
  other.send();
  const auto after = counters.segmentsNow();
  ASSERT_TRUE(after);
  EXPECT_GE(after->sent, before->sent + 1);
  EXPECT_GE(after->received, before->received + 1) << "over loopback, by the other end";
  EXPECT_EQ(counters.lastSegments(), before) << "as at the call before";
}

TEST(NamespaceCounters, AreUnknownOfAMissingNamespace) {
  NamespaceCounters counters = NamespaceCounters::in(*NetworkNamespace::parse("no-such-namespace-here"));
  for (int reading = 0; reading < 2; ++reading) {
    const NamespaceCounters::SinceLast since = counters.sinceLast();
    EXPECT_FALSE(since.nothingMoved || since.nothingOpened);
  }
}

}  // namespace
}  // namespace tcpscope
