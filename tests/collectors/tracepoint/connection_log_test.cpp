// Changes of state as a log of connections.
#include "collectors/tracepoint/connection_log.h"

#include <gtest/gtest.h>

#include "collectors/tracepoint/set_state_event.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;

constexpr std::int32_t kThread = 1234;

/// The socket with this number changes its state.
SourceEvent changeOf(std::uint8_t socket, TcpState before, TcpState after, milliseconds at) {
  SourceEvent event;
  event.local = {IpAddress::v4({192, 0, 2, 1}), 50'000};
  event.remote = {IpAddress::v4({198, 51, 100, 7}), 443};
  event.at = Moment::fromNanoseconds(0) + at;
  const auto octet = [](auto value) { return static_cast<std::byte>(value); };
  event.payload = {octet(before), octet(after), octet(kThread & 0xff), octet(kThread >> 8),
                   octet(0),      octet(0),     octet(socket),         octet(0),
                   octet(0),      octet(0)};
  return event;
}

TEST(ConnectionLog, AConnectionThatIsOpenedAndClosed) {
  ConnectionLog log;
  EXPECT_FALSE(log.take(changeOf(1, TcpState::close, TcpState::synSent, milliseconds(10))));
  const auto opened = log.take(changeOf(1, TcpState::synSent, TcpState::established, milliseconds(35)));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->kind, KernelEventKind::opened);
  EXPECT_EQ(opened->duration, milliseconds(25)) << "the handshake";
  EXPECT_EQ(opened->thread, kThread);
  EXPECT_EQ(opened->remote.toString(), "198.51.100.7:443");
  EXPECT_FALSE(log.take(changeOf(1, TcpState::established, TcpState::finWait1, milliseconds(90))));
  const auto closed = log.take(changeOf(1, TcpState::finWait1, TcpState::close, milliseconds(135)));
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->kind, KernelEventKind::closed);
  EXPECT_EQ(closed->duration, milliseconds(100)) << "its life";
  EXPECT_EQ(closed->thread, kThread);
}

TEST(ConnectionLog, ReadsTheNameOfTheThreadAtItsSyn) {
  int reads = 0;
  ConnectionLog log([&reads](std::int32_t thread) {
    EXPECT_EQ(thread, kThread);
    return UntrustedText(++reads == 1 ? "curl" : "another one");
  });
  log.take(changeOf(1, TcpState::close, TcpState::synSent, milliseconds(10)));
  EXPECT_EQ(reads, 1);
  const auto opened = log.take(changeOf(1, TcpState::synSent, TcpState::established, milliseconds(35)));
  EXPECT_EQ(opened.value().threadName, UntrustedText("curl"));
  const auto closed = log.take(changeOf(1, TcpState::established, TcpState::close, milliseconds(60)));
  EXPECT_EQ(closed.value().threadName, UntrustedText("curl")) << "the thread of that number may be another one by now";
  EXPECT_EQ(reads, 1);
}

TEST(ConnectionLog, AnAttemptThatFails) {
  ConnectionLog log;
  log.take(changeOf(1, TcpState::close, TcpState::synSent, milliseconds(10)));
  const auto failed = log.take(changeOf(1, TcpState::synSent, TcpState::close, milliseconds(3010)));
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->kind, KernelEventKind::openingFailed);
  EXPECT_EQ(failed->duration, milliseconds(3000));
}

TEST(ConnectionLog, AnAcceptedConnectionHasNoHandshakeToTime) {
  ConnectionLog log;
  const auto accepted = log.take(changeOf(1, TcpState::synReceived, TcpState::established, milliseconds(10)));
  ASSERT_TRUE(accepted);
  EXPECT_EQ(accepted->kind, KernelEventKind::accepted);
  EXPECT_FALSE(accepted->duration);
  EXPECT_FALSE(accepted->thread) << "the processor did whatever it did when the packet came";
}

TEST(ConnectionLog, AConnectionThatBeganBeforeTheLogHasNoDuration) {
  ConnectionLog log;
  const auto closed = log.take(changeOf(1, TcpState::lastAck, TcpState::close, milliseconds(10)));
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->kind, KernelEventKind::closed);
  EXPECT_FALSE(closed->duration);
  const auto opened = log.take(changeOf(2, TcpState::synSent, TcpState::established, milliseconds(10)));
  ASSERT_TRUE(opened);
  EXPECT_FALSE(opened->duration);
}

TEST(ConnectionLog, AcrossEventsThatAreMissingNoDurationIsKnown) {
  ConnectionLog log;
  log.take(changeOf(1, TcpState::close, TcpState::synSent, milliseconds(10)));
  log.take(changeOf(1, TcpState::synSent, TcpState::established, milliseconds(35)));
  const auto accepted = log.take(changeOf(1, TcpState::synReceived, TcpState::established, milliseconds(5000)));
  ASSERT_TRUE(accepted) << "another connection: the end of the first was lost";
  EXPECT_EQ(accepted->kind, KernelEventKind::accepted);
  EXPECT_FALSE(accepted->duration);
  EXPECT_FALSE(accepted->thread);
  log.take(changeOf(2, TcpState::synReceived, TcpState::established, milliseconds(10)));
  const auto opened = log.take(changeOf(2, TcpState::synSent, TcpState::established, milliseconds(5000)));
  ASSERT_TRUE(opened);
  EXPECT_FALSE(opened->duration) << "its SYN was lost";
}

TEST(ConnectionLog, BothEndsMayOpenAtTheSameTime) {
  ConnectionLog log;
  log.take(changeOf(1, TcpState::close, TcpState::synSent, milliseconds(10)));
  log.take(changeOf(1, TcpState::synSent, TcpState::synReceived, milliseconds(20)));
  const auto opened = log.take(changeOf(1, TcpState::synReceived, TcpState::established, milliseconds(30)));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->kind, KernelEventKind::opened);
  EXPECT_EQ(opened->duration, milliseconds(20));
  log.take(changeOf(2, TcpState::close, TcpState::synSent, milliseconds(10)));
  log.take(changeOf(2, TcpState::synSent, TcpState::synReceived, milliseconds(20)));
  const auto failed = log.take(changeOf(2, TcpState::synReceived, TcpState::close, milliseconds(30)));
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->kind, KernelEventKind::openingFailed);
}

TEST(ConnectionLog, ListenersAndHalfOpenConnectionsAreNone) {
  ConnectionLog log;
  EXPECT_FALSE(log.take(changeOf(1, TcpState::close, TcpState::listen, milliseconds(10))));
  EXPECT_FALSE(log.take(changeOf(1, TcpState::listen, TcpState::close, milliseconds(20))));
  EXPECT_FALSE(log.take(changeOf(2, TcpState::synReceived, TcpState::close, milliseconds(20))));
}

TEST(ConnectionLog, ASocketOfAnOlderRecordingHasNoNumber) {
  SourceEvent event = changeOf(1, TcpState::synSent, TcpState::established, milliseconds(35));
  event.payload.resize(6);
  ConnectionLog log;
  EXPECT_FALSE(log.take(event));
}

TEST(ConnectionLog, ForgetsAllWhereTooManyAreOpen) {
  ConnectionLog log;
  SourceEvent event = changeOf(1, TcpState::close, TcpState::synSent, milliseconds(10));
  for (unsigned number = 1; number <= 270'000; ++number) {
    for (std::size_t octet = 0; octet < 4; ++octet) {
      event.payload[6 + octet] = static_cast<std::byte>((number >> (8 * octet)) & 0xff);
    }
    log.take(event);
  }
  EXPECT_FALSE(log.take(changeOf(1, TcpState::synSent, TcpState::established, milliseconds(35)))->duration);
}

}  // namespace
}  // namespace tcpscope
