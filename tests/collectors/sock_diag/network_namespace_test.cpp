#include "collectors/sock_diag/network_namespace.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include "collectors/sock_diag/sock_diag_poller.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"

namespace tcpscope {
namespace {

using Kind = NetlinkError::Kind;

/// In a network namespace of its own, inside a user namespace of its own.
class StrangeNamespace : public test::NamespaceProcess {
public:
  StrangeNamespace() : NamespaceProcess([] { return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0; }) {}
};

TEST(NetworkNamespace, IsNamedByANameOrByAProcess) {
  EXPECT_EQ(NetworkNamespace::parse("lab")->path(), "/run/netns/lab");
  EXPECT_EQ(NetworkNamespace::parse("4711")->path(), "/proc/4711/ns/net");
  EXPECT_EQ(NetworkNamespace::parse("47x")->path(), "/run/netns/47x");
}

TEST(NetworkNamespace, TakesNoPath) {
  for (const char* text : {"", ".", "..", "../../etc/passwd", "a/b", "/proc/1/ns/net"}) {
    EXPECT_FALSE(NetworkNamespace::parse(text).has_value()) << text;
  }
  EXPECT_FALSE(NetworkNamespace::parse(std::string_view("a\0b", 3)).has_value());
  EXPECT_FALSE(NetworkNamespace::parse(std::string(300, 'a')).has_value());
}

TEST(NetworkNamespace, ADescriptorIsThatOfTheInodeOrOfAnother) {
  struct stat own {};
  ASSERT_EQ(stat("/proc/self/ns/net", &own), 0);
  const OwnedDescriptor here(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(isNetworkNamespace(here, own.st_ino));
  EXPECT_FALSE(isNetworkNamespace(here, own.st_ino + 1));
  const OwnedDescriptor file(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  struct stat status {};
  ASSERT_EQ(fstat(file.get(), &status), 0);
  EXPECT_FALSE(isNetworkNamespace(file, status.st_ino)) << "a file is no namespace";
}

TEST(NetworkNamespace, AMissingNamespaceIsATypedError) {
  for (const char* text : {"no-such-namespace-here", "999999999"}) {
    const auto opened = openInNamespace(*NetworkNamespace::parse(text), DiagSocketUse::requests);
    ASSERT_FALSE(opened.has_value()) << text;
    EXPECT_EQ(opened.error().kind, Kind::noSuchNamespace) << text;
    EXPECT_EQ(opened.error().attempt, NetlinkError::Attempt::enterNamespace) << text;
  }
}

TEST(NetworkNamespace, TheOwnOneIsReachedThroughAProcessToo) {
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const NetworkNamespace own = *NetworkNamespace::parse(std::to_string(getpid()));
  auto poller = SockDiagPoller::open(sockDiagAccessIn(own), {});
  if (!poller && poller.error().kind == Kind::notPermitted) GTEST_SKIP() << "no right to enter a namespace";
  ASSERT_TRUE(poller.has_value());
  bool found = false;
  (*poller)->pollOnce([&found, &socket = client](ObservationBatch&& batch) {
    for (const SocketObservation& seen : batch.changed) found = found || seen.id.cookie == test::cookieOf(socket);
    return true;
  });
  EXPECT_TRUE(found);
}

TEST(NetworkNamespace, AnotherNamespaceShowsItsOwnSocketsAndNotOurs) {
  const test::LoopbackListener listener;
  const StrangeNamespace strange;
  if (!strange.isThere()) GTEST_SKIP() << "user namespaces are not allowed here";
  auto poller = SockDiagPoller::open(sockDiagAccessIn(*NetworkNamespace::parse(strange.pid())), {});
  ASSERT_TRUE(poller.has_value()) << "its owner may enter it";
  std::size_t sockets = 0;
  (*poller)->pollOnce([&sockets](ObservationBatch&& batch) {
    sockets += batch.changed.size();
    return true;
  });
  EXPECT_EQ(sockets, 0U);
}

TEST(NetworkNamespace, WithoutPrivilegeEnteringIsATypedError) {
  // A child without rights looks at the namespace of process 1.
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (getuid() == 0 && setuid(65534) != 0) _exit(2);
    const auto opened = openInNamespace(*NetworkNamespace::parse("1"), DiagSocketUse::requests);
    _exit(!opened && opened.error().kind == Kind::notPermitted ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tcpscope
