// Packets of connections in another network namespace, captured there while a session in this one shows them.
#include "app/session/namespace_capture.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <array>

#include "app/session/local_place.h"
#include "core/filter/packet_filter.h"
#include "core/session/capture/captured_packets.h"
#include "tests/support/built_paths.h"
#include "tests/support/session_watch.h"
#include "tests/support/talking_namespace.h"

namespace tcpscope {
namespace {

std::unique_ptr<SessionPort> openSession(const std::string& nameOrPid, SessionControl& control) {
  auto place = findLocalPlace(nameOrPid);
  if (!place) return nullptr;
  place->captureProgram = test::commandLineProgram();
  control.listInterval = std::chrono::milliseconds(50);
  LocalSessionSettings settings;
  settings.control = control;
  auto session = openLocalSession(*place, settings);
  return session ? std::move(*session) : nullptr;
}

/// The first snapshot with packets of the connection in the other namespace, or without a hope for any.
std::shared_ptr<const SessionSnapshot> captureIn(SessionPort& session, SessionControl control, const std::string& pid) {
  const auto listed = test::waitForSnapshot(
      session, [&](const SessionSnapshot& seen) { return test::establishedIn(seen, pid) != nullptr; });
  if (!listed) return nullptr;
  const ConnectionFacts& connection = *test::establishedIn(*listed, pid);
  control.pinned.insert(connection.id);
  control.capture =
      CaptureRequest{1, connection.id, packetFilterOf(connection.local, connection.remote), {}, false, {}, 0};
  session.setControl(control);
  return test::waitForSnapshot(session, [](const SessionSnapshot& seen) {
    return seen.capture && (seen.capture->phase == LiveCapturePhase::failed || seen.capture->connectionPackets > 10);
  });
}

void expectPackets(const SessionSnapshot& seen) {
  ASSERT_NE(seen.capture->phase, LiveCapturePhase::failed)
      << (seen.capture->error ? seen.capture->error->reason.rawBytes() : "");
  EXPECT_EQ(seen.capture->packets, seen.capture->connectionPackets) << "the filter takes no others";
  EXPECT_TRUE(seen.capture->clockError) << "the clocks are those of this host";
  EXPECT_FALSE(seen.capture->isThroughDumpcap);
  const auto detail = seen.details.find(seen.capture->connection);
  ASSERT_NE(detail, seen.details.end());
  ASSERT_TRUE(detail->second->packets);
  EXPECT_FALSE(detail->second->packets->series.isEmpty());
}

TEST(NamespaceCapture, TakesPacketsWhetherAllNamespacesAreWatchedOrThatOne) {
  const test::TalkingNamespace other;
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  for (const std::string& watched : {std::string(kAllNamespaces), other.pid()}) {
    SessionControl control;
    const auto session = openSession(watched, control);
    ASSERT_TRUE(session) << watched;
    const auto seen = captureIn(*session, control, other.pid());
    ASSERT_TRUE(seen) << watched;
    expectPackets(*seen);
  }
}

TEST(NamespaceCapture, ReportsItsDropsAtItsEnd) {
  const test::TalkingNamespace other;
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  SessionControl control;
  const auto session = openSession(other.pid(), control);
  ASSERT_TRUE(session);
  const auto seen = captureIn(*session, control, other.pid());
  ASSERT_TRUE(seen);
  ASSERT_EQ(seen->capture->phase, LiveCapturePhase::running);
  control.capture = CaptureRequest{1, seen->capture->connection, {}, {}, true, {}, 0};
  session->setControl(control);
  const auto ended = test::waitForSnapshot(*session, [](const SessionSnapshot& one) {
    return one.capture && one.capture->phase == LiveCapturePhase::ended;
  });
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->capture->dropped, std::optional<std::uint64_t>(0));
}

TEST(NamespaceCapture, TheReasonIsNamedWhereNothingCanBeEntered) {
  const auto noNamespace = std::make_shared<OwnedDescriptor>(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const CaptureMeans means = captureMeansInside(test::commandLineProgram(), noNamespace);
  ASSERT_FALSE(means.open);
  const auto process = means.process(LiveCaptureSettings());
  ASSERT_TRUE(process);
  std::array<char, 1> none{};
  EXPECT_EQ(read((*process)->descriptor(), none.data(), none.size()), 0);
  EXPECT_NE((*process)->whyNothing().reason.rawBytes().find("network namespace"), std::string::npos);
}

}  // namespace
}  // namespace tcpscope
