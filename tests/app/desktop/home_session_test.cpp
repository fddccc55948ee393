// What the window shows at first, with real agents: an agent here stands for one behind ssh or sudo, which only start
// it.
#include "app/desktop/home_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "collectors/host/place_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/app/desktop/demo_waiting.h"
#include "tests/support/built_paths.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/session_watch.h"

namespace tcpscope {
namespace {

class HomeSessionTest : public testing::Test {
protected:
  /// The first snapshot with the test's own connection.
  std::shared_ptr<const SessionSnapshot> snapshotOf(const HomeRequest& request) {
    auto home = openHome(request);
    EXPECT_TRUE(home.has_value());
    if (!home) return nullptr;
    return test::waitForSnapshot(*home->session, [this](const SessionSnapshot& snapshot) {
      return test::rowOf(snapshot, test::cookieOf(m_ends.first)).has_value();
    });
  }

  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_ends = m_listener.connect();
};

TEST_F(HomeSessionTest, IsThisHostByDefault) {
  const auto snapshot = snapshotOf({});
  ASSERT_TRUE(snapshot);
  ASSERT_EQ(snapshot->places.size(), 1U);
  EXPECT_EQ(snapshot->places.front().bootId, readPlace(PlaceId{0}).bootId);
}

TEST_F(HomeSessionTest, IsThisHostThroughAnAgentWhereRightsAreWanted) {
  HomeRequest request;
  request.agentWithRights = {test::commandLineProgram(), "agent"};
  const auto snapshot = snapshotOf(request);
  ASSERT_TRUE(snapshot);
  ASSERT_EQ(snapshot->places.size(), 1U);
  EXPECT_EQ(snapshot->places.front().networkNamespace, readPlace(PlaceId{0}).networkNamespace);
}

TEST_F(HomeSessionTest, HasThoseOfOtherNamespacesInTheSameList) {
  const test::NamespaceProcess container([] {
    test::enterOwnNamespace();
    using Connection = std::pair<test::Descriptor, test::Descriptor>;
    return test::hasOwnNamespace() ? std::optional<Connection>(test::LoopbackListener().connect()) : std::nullopt;
  });
  if (!container.isThere()) GTEST_SKIP() << "no network namespaces here";
  const std::string path = "/proc/" + container.pid() + "/ns/net";
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  HomeRequest request;
  request.networkNamespace = std::string(kAllNamespaces);
  auto home = openHome(request);
  ASSERT_TRUE(home.has_value());
  EXPECT_TRUE(test::waitForSnapshot(*home->session, [&](const SessionSnapshot& seen) {
    const bool hasOwn = test::rowOf(seen, test::cookieOf(m_ends.first)).has_value();
    return hasOwn && std::any_of(seen.order->begin(), seen.order->end(), [&](std::uint32_t slot) {
             return std::any_of(seen.places.begin(), seen.places.end(), [&](const Place& place) {
               return place.id == seen.row(slot).id.place && place.networkNamespace == std::to_string(status.st_ino);
             });
           });
  }));
}

TEST_F(HomeSessionTest, IsNoNamespaceThatIsMissing) {
  HomeRequest request;
  request.networkNamespace = "no-such-namespace";
  EXPECT_FALSE(openHome(request).has_value());
}

TEST_F(HomeSessionTest, PacketsPassThisProcessThoughAnAgentWithRightsReads) {
  HomeRequest request;
  request.agentWithRights = {test::commandLineProgram(), "agent"};
  const auto home = openHome(request);
  ASSERT_TRUE(home);
  std::optional<ConnectionId> id;
  ASSERT_TRUE(test::waitForSnapshot(*home->session, [&](const SessionSnapshot& snapshot) {
    if (const auto row = test::rowOf(snapshot, test::cookieOf(m_ends.first))) id = row->id;
    return id.has_value();
  }));
  SessionControl control;
  control.focus = id;
  control.capture.emplace();
  control.capture->number = 1;
  control.capture->connection = *id;
  home->session->setControl(control);
  const auto seen = test::waitForSnapshot(*home->session, [](const SessionSnapshot& snapshot) {
    return snapshot.capture && snapshot.capture->phase != LiveCapturePhase::starting;
  });
  ASSERT_TRUE(seen);
  // An ordinary user may lack the right, as everywhere.
  const auto& error = seen->capture->error;
  EXPECT_TRUE(!error || error->kind == LiveCaptureErrorKind::missingRight);
}

TEST_F(HomeSessionTest, IsThisHostAndAnotherInOneList) {
  const test::PretendedSsh ssh;
  HomeRequest request;
  request.hosts = {"ssh://server.example"};
  auto home = openHome(request);
  ASSERT_TRUE(home.has_value());
  const std::uint64_t cookie = test::cookieOf(m_ends.first);
  const auto snapshot = test::waitForSnapshot(*home->session, [&](const SessionSnapshot& seen) {
    const auto isOurs = [&](std::uint32_t slot) { return seen.row(slot).id.cookie == cookie; };
    return std::count_if(seen.order->begin(), seen.order->end(), isOurs) == 2;
  });
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->places.size(), 2U);
}

TEST_F(HomeSessionTest, NamesAnotherHostByItsAddressToo) {
  const test::PretendedSsh ssh;
  HomeRequest request;
  request.hosts = {"ssh://root@db1:2222"};
  auto home = openHome(request);
  ASSERT_TRUE(home.has_value());
  const auto snapshot =
      test::waitForSnapshot(*home->session, [](const SessionSnapshot& seen) { return seen.places.size() == 2; });
  ASSERT_TRUE(snapshot);
  const std::string itself = readPlace(PlaceId{0}).host.rawBytes();
  EXPECT_EQ(snapshot->places[0].host.rawBytes(), itself);
  EXPECT_EQ(snapshot->places[1].host.rawBytes(), itself + " (root@db1:2222)") << "hosts may have the same name";
}

TEST_F(HomeSessionTest, IsThisHostWhereAnotherHasNoAgent) {
  const test::PretendedSsh ssh;
  ssh.fails("bash: line 1: tcpscope-cli: command not found", 127);
  HomeRequest request;
  request.hosts = {"ssh://db1"};
  auto home = openHome(request);
  ASSERT_TRUE(home.has_value());
  EXPECT_TRUE(test::waitForSnapshot(*home->session, [this](const SessionSnapshot& seen) {
    return test::rowOf(seen, test::cookieOf(m_ends.first)).has_value() && seen.places.size() == 2 &&
           seen.places[1].host.rawBytes() == "db1" && seen.places[1].lostSince;
  })) << "the other one is lost from the beginning";
  HostConnector connector(dynamic_cast<LiveSession&>(*home->session), std::move(home->hosts), monotonicNow);
  const auto waitFor = [&connector](HostPhase phase) {
    EXPECT_TRUE(test::comesTrue([&] { return connector.hosts().at(0).phase == phase; }));
    return connector.hosts().at(0);
  };
  const ConnectedHost lost = waitFor(HostPhase::stopped);
  ASSERT_EQ(lost.phase, HostPhase::stopped);
  EXPECT_EQ(lost.name, "db1");
  EXPECT_TRUE(lost.lacksAgent) << "other means are offered";
  EXPECT_THAT(lost.notice, testing::HasSubstr("install the package tcpscope-cli there"));
  ssh.connects();
  connector.connectAgain(lost.number, HostMeans::installed);
  EXPECT_EQ(waitFor(HostPhase::connected).phase, HostPhase::connected);
  EXPECT_TRUE(test::waitForSnapshot(*home->session, [](const SessionSnapshot& seen) {
    return seen.places.size() == 2 && !seen.places[1].lostSince && !seen.places[1].bootId.empty();
  }));
}

TEST_F(HomeSessionTest, KeepsFromTheTerminalWhatAnotherHostSays) {
  const test::PretendedSsh ssh;
  ssh.fails("\x1b]0;owned\x07\x1b[2J", 1);
  HomeRequest request;
  request.hosts = {"ssh://db1"};
  testing::internal::CaptureStderr();
  const auto home = openHome(request);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(home.has_value());
}

TEST_F(HomeSessionTest, RetriesAnUnreachableHostAutomatically) {
  const test::PretendedSsh ssh;
  ssh.fails("ssh: connect to host db1 port 22: Connection refused", 255);
  HomeRequest request;
  request.hosts = {"ssh://db1"};
  auto home = openHome(request);
  ASSERT_TRUE(home.has_value());
  ssh.connects();
  EXPECT_TRUE(test::waitForSnapshot(*home->session, [](const SessionSnapshot& seen) {
    return seen.places.size() == 2 && !seen.places[1].lostSince && !seen.places[1].bootId.empty();
  }));
  ASSERT_GE(ssh.starts().size(), 2U);
  EXPECT_THAT(ssh.starts()[0], testing::Not(testing::HasSubstr("BatchMode"))) << "a password may be typed at the start";
  EXPECT_THAT(ssh.starts()[1], testing::HasSubstr("-oBatchMode=yes"));
}

TEST_F(HomeSessionTest, FailsWhereThePrivilegedAgentCannotBeStarted) {
  HomeRequest request;
  request.agentWithRights = {"/does/not/exist", "agent"};
  const auto home = openHome(request);
  ASSERT_FALSE(home);
  EXPECT_EQ(home.error().attempt, SystemAttempt::reachAgent);
  EXPECT_EQ(home.error().errorNumber, ENOENT);
}

TEST_F(HomeSessionTest, FailsWhereTheAgentEndsBeforeItSpeaks) {
  HomeRequest request;
  request.agentWithRights = {"/bin/false"};
  const auto home = openHome(request);
  ASSERT_FALSE(home);
  EXPECT_EQ(home.error().attempt, SystemAttempt::reachAgent);
}

TEST_F(HomeSessionTest, RefusesAnAddressThatLooksLikeAnOption) {
  HomeRequest request;
  request.hosts = {"ssh://-oProxyCommand=true"};
  EXPECT_FALSE(openHome(request));
}

TEST(AgentAsRoot, NeedsNoPrivilegeEscalationAsRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "this user is not root";
  const auto words = agentAsRoot("/usr/bin/tcpscope-cli");
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, testing::ElementsAre("/usr/bin/tcpscope-cli", "agent", "--netns=all"));
}

TEST(AgentAsRoot, StartsNoProgramThatOthersMayWriteTo) {
  const QTemporaryDir folder;
  const std::filesystem::path planted = std::filesystem::path(folder.path().toStdString()) / "tcpscope-cli";
  std::filesystem::permissions(planted.parent_path(), std::filesystem::perms(0755));
  std::ofstream(planted) << "#!/bin/sh\n";
  std::filesystem::permissions(planted, std::filesystem::perms(0777));
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kUnprivilegedUser = 65534;
    if (geteuid() == 0 && setresuid(kUnprivilegedUser, kUnprivilegedUser, kUnprivilegedUser) != 0) _exit(77);
    const auto words = agentAsRoot(planted.string());
    const bool isNamed = !words && words.error().find(planted.string() + " is not run as root") != std::string::npos;
    const auto byName = agentAsRoot("tcpscope-cli");
    _exit(isNamed && !byName && byName.error().find("is not run as root") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no other user to be";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tcpscope
