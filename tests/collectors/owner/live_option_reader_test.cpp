#include "collectors/owner/live_option_reader.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tcpscope {
namespace {

class LiveOptionReaderTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_GE(m_socket, 0);
    socklen_t size = sizeof m_cookie;
    ASSERT_EQ(getsockopt(m_socket, SOL_SOCKET, SO_COOKIE, &m_cookie, &size), 0);
    struct stat status {};
    ASSERT_EQ(fstat(m_socket, &status), 0);
    m_inode = static_cast<std::uint32_t>(status.st_ino);
  }
  void TearDown() override { close(m_socket); }

  int m_socket = socket(AF_INET, SOCK_STREAM, 0);
  std::uint64_t m_cookie = 0;
  std::uint32_t m_inode = 0;
};

TEST_F(LiveOptionReaderTest, aFreshSocketHasNoLockedBuffer) {
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie)->locks, BufferLocks{});
}

TEST_F(LiveOptionReaderTest, settingTheReceiveBufferLocksIt) {
  const int size = 65536;
  ASSERT_EQ(setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie)->locks, (BufferLocks{false, true}));
}

TEST_F(LiveOptionReaderTest, settingTheSendBufferLocksIt) {
  const int size = 65536;
  ASSERT_EQ(setsockopt(m_socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size), 0);
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie)->locks, (BufferLocks{true, false}));
}

TEST_F(LiveOptionReaderTest, theUserTimeoutIsZeroUntilAProgramSetsIt) {
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie)->userTimeout, Milliseconds(0));
  const int timeout = 20'000;
  ASSERT_EQ(setsockopt(m_socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout), 0);
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie)->userTimeout, Milliseconds(20'000));
}

TEST_F(LiveOptionReaderTest, aWrongCookieIsAnotherSocket) {
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie + 1).error(), SocketDuplicateError::otherSocket);
}

TEST_F(LiveOptionReaderTest, aKnownDescriptorIsTakenAndCheckedByItsCookie) {
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie, m_socket)->locks, BufferLocks{});
  const int other = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(readLiveOptions(getpid(), m_inode, m_cookie, other).error(), SocketDuplicateError::otherSocket);
  close(other);
}

TEST_F(LiveOptionReaderTest, anInodeThatTheProcessDoesNotHoldIsGone) {
  EXPECT_EQ(readLiveOptions(getpid(), ~0U, m_cookie).error(), SocketDuplicateError::gone);
}

TEST_F(LiveOptionReaderTest, aProcessThatDoesNotExistIsGone) {
  EXPECT_EQ(readLiveOptions(0x7ffffffe, m_inode, m_cookie).error(), SocketDuplicateError::gone);
}

}  // namespace
}  // namespace tcpscope
