#include "collectors/pcap/live_capture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include "collectors/pcap/packet_decoder.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

/// A capture of one port of the loopback interface, where this process may have one.
class LiveCaptureTest : public ::testing::Test {
protected:
  void SetUp() override {
    LiveCaptureSettings settings;
    settings.interface = "lo";
    settings.filter = fmt::format("tcp port {}", m_listener.port());
    auto opened = LiveCapture::open(settings);
    if (!opened && opened.error().kind == LiveCaptureErrorKind::missingRight) {
      GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
    }
    ASSERT_TRUE(opened);
    m_capture = std::move(*opened);
  }

  /// The next segment, waited for.
  std::optional<PacketSample> nextSegment() {
    for (int waits = 0; waits < 100; ++waits) {
      const auto frame = m_capture->next();
      if (!frame) return std::nullopt;
      if (*frame != nullptr) {
        const auto packet = decodePacket(**frame);
        return packet ? std::optional(*packet) : std::nullopt;
      }
      pollfd wait{m_capture->wakeDescriptor(), POLLIN, 0};
      poll(&wait, 1, 100);
    }
    return std::nullopt;
  }

  test::LoopbackListener m_listener;
  std::unique_ptr<LiveCapture> m_capture;
};

TEST_F(LiveCaptureTest, AConnectionIsSeenFromItsFirstPacket) {
  const auto [client, server] = m_listener.connect();
  const auto syn = nextSegment();
  ASSERT_TRUE(syn);
  EXPECT_TRUE(syn->flags.syn() && !syn->flags.ack());
  EXPECT_EQ(syn->destination.port, m_listener.port());
  const auto answer = nextSegment();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->flags.syn() && answer->flags.ack());
  EXPECT_EQ(answer->acknowledgment, syn->sequence + 1);
}

TEST_F(LiveCaptureTest, DataIsCountedThoughOnlyHeadersAreKept) {
  const auto [client, server] = m_listener.connect();
  const std::string text(1000, 'x');
  ASSERT_EQ(write(client.number(), text.data(), text.size()), 1000);
  auto packet = nextSegment();
  while (packet && packet->payloadBytes == 0) packet = nextSegment();
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->payloadBytes, 1000U);
  EXPECT_LE(packet->options.size(), 40U);
}

TEST_F(LiveCaptureTest, DropsNoneOfAFewPackets) {
  const auto ends = m_listener.connect();
  ASSERT_TRUE(nextSegment());
  const auto counts = m_capture->counts();
  ASSERT_TRUE(counts);
  EXPECT_GE(counts->received, Count(1));
  EXPECT_EQ(counts->droppedByRing, Count(0));
}

TEST_F(LiveCaptureTest, AFilterThatLibpcapDoesNotUnderstandIsNamedWithItsWords) {
  LiveCaptureSettings settings;
  settings.interface = "lo";
  settings.filter = "port of call";
  const auto opened = LiveCapture::open(settings);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, LiveCaptureErrorKind::badFilter);
  EXPECT_FALSE(opened.error().reason.empty());
}

TEST_F(LiveCaptureTest, ReportsAMissingInterface) {
  LiveCaptureSettings settings;
  settings.interface = "nowhere7";
  const auto opened = LiveCapture::open(settings);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, LiveCaptureErrorKind::noSuchInterface);
}

TEST(LiveCaptureRights, WithoutPrivilegeThereIsNoCapture) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kUnprivilegedUser = 65534;
    if (geteuid() == 0 && setuid(kUnprivilegedUser) != 0) _exit(2);
    LiveCaptureSettings settings;
    settings.interface = "lo";
    const auto opened = LiveCapture::open(settings);
    _exit(!opened && opened.error().kind == LiveCaptureErrorKind::missingRight ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tcpscope
