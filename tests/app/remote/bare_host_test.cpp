// Hosts behind a real sshd on which tcpscope-cli is not installed: through their ss, and by a copy of the agent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <thread>

#include "app/remote/agent_copy.h"
#include "app/remote/polled_agent.h"
#include "app/remote/ustar.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/support/built_paths.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/session_watch.h"
#include "tests/support/ssh_server.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

class BareHostTest : public testing::Test {
protected:
  void SetUp() override {
    if (!m_server.whyNot().empty()) GTEST_SKIP() << m_server.whyNot();
    // The program to copy is found in PATH, whose previous value the server restores.
    const std::string folder = fs::path(test::commandLineProgram()).parent_path().string();
    setenv("PATH", (folder + ":" + std::getenv("PATH")).c_str(), 1);
  }
  [[nodiscard]] auto reach(AgentMeans means) const {
    return PolledAgent::reach(m_server.address(), means, SessionControl(), {});
  }
  /// The newest look at a socket, once `enough` holds of it; nothing where the host goes before.
  template <class Enough>
  static std::optional<SocketObservation> seen(PolledAgent& agent, std::uint64_t cookie, Enough enough) {
    std::optional<SocketObservation> found;
    agent.hear({-1, [] { return false; }}, [&](const ObservationBatch& batch) {
      for (const SocketObservation& socket : batch.changed) {
        if (socket.id.cookie == cookie && enough(socket)) found = socket;
      }
      return found.has_value();
    });
    return found;
  }
  static std::optional<SocketObservation> seen(PolledAgent& agent, std::uint64_t cookie) {
    return seen(agent, cookie, [](const SocketObservation&) { return true; });
  }
  [[nodiscard]] std::size_t foldersThere() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(m_server.temporaryFolder()), fs::directory_iterator()));
  }
  /// True when nothing of an agent is left there, a minute at most.
  [[nodiscard]] bool becomesClean() const {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (foldersThere() > 0 && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(1ms);
    return foldersThere() == 0;
  }

  test::SshServer m_server{test::Installed::no};
};

TEST_F(BareHostTest, SaysThatNoAgentIsInstalled) {
  const auto agent = reach(AgentMeans::installed);
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().attempt, SystemAttempt::reachAgent);
  EXPECT_EQ(agent.error().errorNumber, ENOPKG);
}

TEST_F(BareHostTest, ThroughSsAConnectionIsSeenWithItsCounters) {
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const auto agent = reach(AgentMeans::throughSs);
  ASSERT_TRUE(agent) << agent.error().errorNumber;
  EXPECT_THAT((*agent)->place().host.rawBytes(), HasSubstr("(through ss)"));
  EXPECT_FALSE((*agent)->place().bootId.empty());
  const std::uint64_t cookie = test::cookieOf(client);
  const auto quiet = seen(**agent, cookie);
  ASSERT_TRUE(quiet);
  ASSERT_EQ(write(client.number(), "12345", 5), 5);
  const auto busy = seen(**agent, cookie, [](const SocketObservation& socket) {
    return socket.info.bytesSent() == Bytes(5) && socket.info.bytesAcked().value_or(Bytes(0)) >= Bytes(5);
  });
  ASSERT_TRUE(busy);
  EXPECT_GT(busy->takenAt, quiet->takenAt);
  EXPECT_LE(busy->takenAt, monotonicNow()) << "its clock is related to ours";
  EXPECT_FALSE(busy->info.caState()) << "ss does not report it";
}

TEST_F(BareHostTest, ACopyOfTheAgentShowsConnectionsAndGoesWithTheConnection) {
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  {
    const auto agent = reach(AgentMeans::copied);
    ASSERT_TRUE(agent) << agent.error().errorNumber;
    const auto socket = seen(**agent, test::cookieOf(client));
    ASSERT_TRUE(socket);
    EXPECT_TRUE(socket->info.caState()) << "the kernel's own words, not those of ss";
    ASSERT_EQ(foldersThere(), 1U);
    struct stat folder {};
    ASSERT_EQ(stat(fs::directory_iterator(m_server.temporaryFolder())->path().c_str(), &folder), 0);
    EXPECT_EQ(folder.st_mode & 0777U, 0700U);
  }
  EXPECT_TRUE(becomesClean());
}

TEST_F(BareHostTest, TheCopyGoesAlsoWhereTheConnectionIsKilled) {
  const auto agent = reach(AgentMeans::copied);
  ASSERT_TRUE(agent) << agent.error().errorNumber;
  ASSERT_EQ(foldersThere(), 1U);
  m_server.dropConnections();
  EXPECT_TRUE(becomesClean());
}

/// The other end without ssh: what the host runs, in a folder of the test's own.
class CopyCommandTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tcpscope-copies-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_folder = name;
    auto host = StartedAgent::start("host", {"env", "TMPDIR=" + name, "sh", "-c", copyCommand()});
    ASSERT_TRUE(host);
    m_host = std::move(*host);
  }
  void expectGreeting() const { EXPECT_THAT(line(), testing::StartsWith("tcpscope-copy machine ")); }
  void TearDown() override {
    m_host.reset();
    EXPECT_TRUE(fs::is_empty(m_folder)) << "nothing is left there";
    fs::remove_all(m_folder);
  }
  void say(std::string_view text) const {
    ASSERT_EQ(write(m_host->pipes().requestsDescriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] std::string line() const {
    std::string text;
    for (char letter = 0; read(m_host->pipes().framesDescriptor, &letter, 1) == 1 && letter != '\n';) text += letter;
    return text;
  }

  fs::path m_folder;
  std::unique_ptr<StartedAgent> m_host;
};

TEST_F(CopyCommandTest, RunsNothingThatArrivedDamaged) {
  expectGreeting();
  say("5 12345\nhello");
  EXPECT_EQ(line(), "tcpscope-copy failed checksum");
}

TEST_F(CopyCommandTest, RunsNothingThatIsNoProgram) {
  expectGreeting();
  std::vector<std::byte> tar;
  const std::string_view nothing = "no program";
  appendToTar(tar, "ld.so", std::as_bytes(std::span(nothing)));
  appendToTar(tar, "tcpscope-agent", std::as_bytes(std::span(nothing)));
  endTar(tar);
  say(std::to_string(tar.size()) + " " + std::to_string(posixChecksum(tar)) + "\n");
  say({reinterpret_cast<const char*>(tar.data()), tar.size()});
  EXPECT_EQ(line(), "tcpscope-copy failed run") << "what was unpacked and whose checksum was right";
}

TEST_F(CopyCommandTest, EndsWithoutATraceWhereNothingIsSent) {
  expectGreeting();
}

TEST(CopyAgent, SendsNothingToAnotherKindOfMachine) {
  const auto host =
      StartedAgent::start("host", {"sh", "-c", "echo Welcome; echo tcpscope-copy machine pdp11; cat >&2; echo end"});
  ASSERT_TRUE(host);
  const auto copied = copyAgent((*host)->pipes(), monotonicNow() + 60s, {});
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().attempt, SystemAttempt::copyAgent);
  EXPECT_EQ(copied.error().errorNumber, ENOEXEC);
}

TEST(CopyAgent, ReportsWhatTheHostCouldNotDo) {
  for (const auto& [said, errorNumber] : std::vector<std::pair<std::string, int>>{
           {"failed room", ENOSPC}, {"failed checksum", EBADMSG}, {"failed run", ENOTSUP}, {"what?", EPIPE}}) {
    const auto host = StartedAgent::start("host", {"sh", "-c", "echo 'tcpscope-copy " + said + "'"});
    ASSERT_TRUE(host);
    const auto copied = copyAgent((*host)->pipes(), monotonicNow() + 60s, {});
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().errorNumber, errorNumber) << said;
  }
}

TEST(Ustar, TheChecksumIsThatOfCksum) {
  const std::string_view text = "123456789";
  EXPECT_EQ(posixChecksum({}), 4294967295U);
  EXPECT_EQ(posixChecksum(std::as_bytes(std::span(text))), 930766865U);
}

}  // namespace
}  // namespace tcpscope
