// The scope's connection in another network namespace: its samples come as often as those of this one.
#include "app/session/namespace_focus.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/support/session_watch.h"
#include "tests/support/talking_namespace.h"

namespace tcpscope {
namespace {

/// More than one come of the exact requests alone: the session polls once a minute.
void expectSamplesOf(SessionPort& session, SessionControl control, const std::string& pid) {
  const auto listed = test::waitForSnapshot(
      session, [&](const SessionSnapshot& seen) { return test::establishedIn(seen, pid) != nullptr; });
  ASSERT_TRUE(listed);
  const ConnectionId id = test::establishedIn(*listed, pid)->id;
  control.focus = id;
  session.setControl(control);
  const auto sampled = test::waitForSnapshot(session, [id](const SessionSnapshot& seen) {
    const auto detail = seen.details.find(id);
    return detail != seen.details.end() && detail->second->history.sampleCount() >= 10;
  });
  EXPECT_TRUE(sampled);
}

TEST(NamespaceFocus, SamplesTheConnectionInFocusWhicheverNamespaceItIsIn) {
  const test::TalkingNamespace one;
  const test::TalkingNamespace other;
  if (!one.isThere() || !other.isThere()) GTEST_SKIP() << "no network namespaces here";
  const auto place = findLocalPlace(std::string(kAllNamespaces));
  ASSERT_TRUE(place);
  LocalSessionSettings settings;
  settings.control.listInterval = std::chrono::minutes(1);
  settings.control.focusInterval = std::chrono::milliseconds(10);
  const auto session = openLocalSession(*place, settings);
  ASSERT_TRUE(session);
  expectSamplesOf(**session, settings.control, one.pid());
  expectSamplesOf(**session, settings.control, other.pid());
}

TEST(NamespaceRegister, KnowsTheNamespacesThatWereAdded) {
  const OwnedDescriptor own(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  NamespaceRegister namespaces;
  EXPECT_FALSE(namespaces.descriptorOf(PlaceId{7}));
  namespaces.add(PlaceId{7}, own);
  EXPECT_TRUE(namespaces.descriptorOf(PlaceId{7}));
  namespaces.remove(PlaceId{7});
  EXPECT_FALSE(namespaces.descriptorOf(PlaceId{7}));
}

}  // namespace
}  // namespace tcpscope
