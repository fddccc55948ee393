// The loop over real descriptors: pairs of sockets that keep packets apart stand for the hosts' devices. The owner is
// called when a packet has come to the second host.
#include "app/lab/path/path_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "app/lab/path/loop_clock.h"
#include "tests/app/lab/path/ip_packet.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using link_test::PacketBytes;
using ::testing::ElementsAre;
using ::testing::SizeIs;

/// One host's device: `port` is the path's end, `host` the host's.
struct Device {
  Device() {
    int ends[2];
    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends);
    port.descriptor = ends[0];
    host = ends[1];
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    close(port.descriptor);
    if (host >= 0) close(host);
  }
  void send(const PacketBytes& packet) const {
    ASSERT_EQ(write(host, packet.data(), packet.size()), static_cast<ssize_t>(packet.size()));
  }
  std::optional<PacketBytes> receive() const {
    PacketBytes packet(65'536);
    const ssize_t size = read(host, packet.data(), packet.size());
    if (size <= 0) return std::nullopt;
    packet.resize(static_cast<std::size_t>(size));
    return packet;
  }

  PathPort port;
  int host = -1;
};

/// Takes each packet of the second host, and ends the loop after so many.
class WaitingOwner : public PathOwner {
public:
  WaitingOwner(const PathSettings& settings, const Device& device, std::size_t packets)
      : m_settings(settings), m_device(device), m_wanted(packets) {}

  void happened(const PathEvent& event) override { events.push_back(event); }
  void counted(const PathReport& counts) override { report = counts; }
  [[nodiscard]] int wakeDescriptor() const override { return m_device.host; }
  std::optional<PathSettings> takeRequest() override {
    while (const auto packet = m_device.receive()) {
      received.push_back(*packet);
      receivedAt.push_back(pathClock());
    }
    return received.size() < m_wanted ? std::optional(m_settings) : std::nullopt;
  }

  std::vector<PacketBytes> received;
  std::vector<Moment> receivedAt;
  std::vector<PathEvent> events;
  PathReport report;

protected:
  PathSettings m_settings;

private:
  const Device& m_device;
  std::size_t m_wanted;
};

class PathLoopTest : public ::testing::Test {
protected:
  PathLoopTest() { m_settings.hosts = {{"first", PathSide::left, {}}, {"second", PathSide::right, {}}}; }
  int run(PathOwner& owner) { return runPathLoop(m_settings, std::array{m_first.port, m_second.port}, owner); }

  PathSettings m_settings;
  Device m_first;
  Device m_second;
};

TEST_F(PathLoopTest, CarriesPacketsUnchangedAndNeverEarly) {
  m_settings.path.forward.delay = 10ms;
  const Moment start = pathClock();
  const std::vector<PacketBytes> sent = {link_test::dataPacket(1500, 1), link_test::bareAck(),
                                         link_test::dataPacket(577, 2)};
  for (const PacketBytes& packet : sent) m_first.send(packet);
  WaitingOwner owner(m_settings, m_second, 3);
  EXPECT_EQ(run(owner), 0);
  EXPECT_EQ(owner.received, sent);
  EXPECT_GE(owner.receivedAt.front() - start, 10ms);
}

TEST_F(PathLoopTest, CountsAtItsEnd) {
  m_settings.path.forward.loss = ScriptedLoss{{2}};
  for (std::uint32_t packet = 1; packet <= 3; ++packet) m_first.send(link_test::dataPacket(100, packet));
  m_first.send(PacketBytes{1, 2, 3});
  WaitingOwner owner(m_settings, m_second, 2);
  EXPECT_EQ(run(owner), 0);
  ASSERT_THAT(owner.events, SizeIs(1));
  EXPECT_EQ(owner.events.front().sequence, 2U);
  ASSERT_THAT(owner.report.links, SizeIs(6));
  EXPECT_EQ(owner.report.links[0].name, "path.forward");
  EXPECT_EQ(owner.report.links[0].counters.packetsIn, Count(3));
  EXPECT_EQ(owner.report.links[0].counters.packetsOut, Count(2));
  EXPECT_EQ(owner.report.unrouted, Count(1));
  EXPECT_GE(owner.report.worstLateness, owner.report.lateness50);
  // A pair of sockets does not say what it dropped.
  EXPECT_FALSE(owner.report.deviceDrops);
}

/// Takes the loss away when the first packet has come, and has the next one sent.
class MendingOwner final : public WaitingOwner {
public:
  MendingOwner(const PathSettings& settings, const Device& from, const Device& to)
      : WaitingOwner(settings, to, 2), m_from(from) {}
  std::optional<PathSettings> takeRequest() override {
    if (!WaitingOwner::takeRequest()) return std::nullopt;
    if (received.size() == 1 && std::exchange(m_isLossy, false)) {
      m_settings.path.forward.loss = std::monostate();
      m_from.send(link_test::dataPacket(100, 2));
    }
    return m_settings;
  }

private:
  const Device& m_from;
  bool m_isLossy = true;
};

TEST_F(PathLoopTest, GoesOnWithTheSettingsThatItsOwnerGives) {
  m_settings.path.forward.loss = ScriptedLoss{{2}};
  m_first.send(link_test::dataPacket(100, 1));
  MendingOwner owner(m_settings, m_first, m_second);
  EXPECT_EQ(run(owner), 0);
  EXPECT_THAT(owner.received, ElementsAre(link_test::dataPacket(100, 1), link_test::dataPacket(100, 2)));
}

TEST_F(PathLoopTest, LogsWhatADeviceRefuses) {
  // Its buffer is full of packets that are never read.
  const PacketBytes filler(1000, 'x');
  while (write(m_second.port.descriptor, filler.data(), filler.size()) > 0) {
  }
  m_first.send(link_test::dataPacket(1500, 5));
  WaitingOwner owner(m_settings, m_second, 1);
  EXPECT_EQ(run(owner), 0);
  ASSERT_THAT(owner.events, SizeIs(1));
  EXPECT_EQ(owner.events.front().kind, PathEventKind::deviceDrop);
  EXPECT_EQ(owner.events.front().sequence, 5U);
  EXPECT_EQ(owner.events.front().link, 5);
}

TEST_F(PathLoopTest, EndsWithTheReasonWhenADeviceIsGone) {
  WaitingOwner owner(m_settings, m_second, 1);
  close(m_first.host);
  m_first.host = -1;
  EXPECT_EQ(run(owner), ENODEV);
}

}  // namespace
}  // namespace tcpscope::lab
