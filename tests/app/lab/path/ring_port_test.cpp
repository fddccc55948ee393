// The port over a packet socket, on a real pair of virtual Ethernet devices in a network namespace of the test's own. A
// child process holds it, so that nothing stays.
#include "app/lab/path/ring_port.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "app/lab/path/device_counters.h"
#include "tests/app/lab/path/ip_packet.h"

namespace tcpscope::lab {
namespace {

constexpr int kNoNamespace = 77;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

void enterOwnNamespace() {
  const uid_t user = geteuid();
  const bool isIn = unshare(user == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET) == 0;
  if (!isIn) std::exit(kNoNamespace);
  if (user != 0) std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  const char* commands =
      "ip link add host type veth peer name path && ip link set host arp off up && ip link set path arp off up";
  if (std::system(commands) != 0) std::exit(kNoNamespace);
}

struct End {
  int descriptor = -1;
  int index = 0;
  std::array<std::uint8_t, 6> address{};
};

End openEnd(const char* device) {
  End end;
  end.descriptor = socket(AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK, htons(ETH_P_IP));
  ifreq request{};
  std::string(device).copy(request.ifr_name, IFNAMSIZ - 1);
  demand(ioctl(end.descriptor, SIOCGIFINDEX, &request) == 0, "the device exists");
  end.index = request.ifr_ifindex;
  demand(ioctl(end.descriptor, SIOCGIFHWADDR, &request) == 0, "the device has an address");
  std::copy_n(request.ifr_hwaddr.sa_data, 6, end.address.begin());
  sockaddr_ll own{};
  own.sll_family = AF_PACKET;
  own.sll_protocol = htons(ETH_P_IP);
  own.sll_ifindex = end.index;
  demand(bind(end.descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0, "the socket is bound");
  return end;
}

/// As the host's own stack would.
void sendFromHost(const End& host, const End& path, const link_test::PacketBytes& packet) {
  sockaddr_ll to{};
  to.sll_family = AF_PACKET;
  to.sll_protocol = htons(ETH_P_IP);
  to.sll_ifindex = host.index;
  to.sll_halen = 6;
  std::copy(path.address.begin(), path.address.end(), to.sll_addr);
  sendto(host.descriptor, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
}

link_test::PacketBytes waitForPacket(PacketPort& port) {
  pollfd wait{port.descriptor(), POLLIN, 0};
  demand(poll(&wait, 1, 10'000) == 1, "the port becomes readable");
  const auto packet = port.receive();
  return {packet.begin(), packet.end()};
}

/// Both ends and the port between them; ends the child with 0 when all that was demanded held.
struct Situation {
  Situation() {
    enterOwnNamespace();
    host = openEnd("host");
    path = openEnd("path");
    PathPort description;
    description.kind = PathPort::Kind::packetSocket;
    description.descriptor = path.descriptor;
    description.hostAddress = host.address;
    description.interfaceIndex = path.index;
    description.hostCounters = open("/proc/thread-self/net/dev", O_RDONLY | O_CLOEXEC);
    description.hostDevice = "host";
    auto made = makePacketPort(description);
    demand(made.has_value(), "the kernel gives a ring");
    port = std::move(*made);
  }
  End host;
  End path;
  std::unique_ptr<PacketPort> port;
};

[[noreturn]] void carryPacketsBothWays() {
  Situation situation;
  for (const std::size_t size : {40U, 576U, 1500U}) {
    const link_test::PacketBytes packet = link_test::dataPacket(size, 7);
    sendFromHost(situation.host, situation.path, packet);
    demand(waitForPacket(*situation.port) == packet, "the port receives what the host sent");
    demand(situation.port->receive().empty(), "the port receives nothing else");

    demand(situation.port->send(packet), "the device takes a packet");
    pollfd wait{situation.host.descriptor, POLLIN, 0};
    demand(poll(&wait, 1, 10'000) == 1, "the host receives");
    link_test::PacketBytes received(2000);
    received.resize(static_cast<std::size_t>(recv(situation.host.descriptor, received.data(), received.size(), 0)));
    demand(received == packet, "the host receives what was sent");
    demand(situation.port->receive().empty(), "the port does not hear itself");
  }
  demand(situation.port->missed() == Count(0), "nothing was missed");
  std::exit(0);
}

[[noreturn]] void overflowTheRing() {
  Situation situation;
  constexpr std::size_t kSent = 6000;
  for (std::size_t packet = 0; packet < kSent; ++packet) {
    sendFromHost(situation.host, situation.path, link_test::dataPacket(100));
  }
  std::size_t received = 0;
  while (!situation.port->receive().empty()) ++received;
  demand(received > 1000 && received < kSent, "the ring holds many, not all");
  demand(situation.port->missed() == Count(kSent - received), "what did not fit was counted");
  std::exit(0);
}

template <class Demands>
void expectInAChild(Demands demands) {
  const pid_t child = fork();
  if (child == 0) demands();
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoNamespace) {
    GTEST_SKIP() << "this machine gives no network namespace with virtual Ethernet devices";
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(RingPort, CarriesPacketsBothWays) {
  expectInAChild(carryPacketsBothWays);
}

TEST(RingPort, CountsWhatItsRingDidNotHold) {
  expectInAChild(overflowTheRing);
}

TEST(DeviceCounters, FindsTheDropsOfADevice) {
  const char* table =
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier "
      "compressed\n"
      "    lo:       1       2    3    4    5     6          7         8        9      10   11   12    0     0       0 "
      "         0\n"
      " path0: 2222222   20000    0    3    0     0          0         0 33333333   30000    0   77    0     0       0 "
      "    0\n";
  EXPECT_EQ(transmitDropsIn(table, "path0"), 77U);
  EXPECT_EQ(transmitDropsIn(table, "lo"), 12U);
  EXPECT_FALSE(transmitDropsIn(table, "path"));
  EXPECT_FALSE(transmitDropsIn("path0: 1 2 3", "path0"));
  EXPECT_FALSE(transmitDropsIn("", "path0"));
}

}  // namespace
}  // namespace tcpscope::lab
