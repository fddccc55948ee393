// A capture of all interfaces of a host whose packets pass two of them, a bridge and its port: what each end did must
// come out as if every packet had been seen once.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <poll.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "collectors/pcap/live_capture.h"
#include "collectors/pcap/packet_decoder.h"
#include "core/session/capture/capture_analysis.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/network_host.h"

namespace tcpscope {
namespace {

using nlohmann::json;
using test::Descriptor;
using test::NetworkHost;

constexpr std::uint16_t kPort = 5001;
constexpr std::size_t kBytes = 400'000;

sockaddr_in serverAddress() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  inet_pton(AF_INET, "10.78.0.1", &address.sin_addr);
  return address;
}

/// A program in a host, and what it says line by line.
class Reported {
public:
  Reported(NetworkHost& host, const std::function<void(int out)>& program) {
    int ends[2];
    if (pipe(ends) != 0) return;
    host.start([&] { program(ends[1]); });
    close(ends[1]);
    m_read = Descriptor(ends[0]);
  }
  /// Empty where it ended without a word, or has none for a minute.
  std::string line() {
    std::string text;
    for (char letter = 0;;) {
      pollfd wait{m_read.number(), POLLIN, 0};
      if (poll(&wait, 1, 60'000) != 1 || ::read(m_read.number(), &letter, 1) != 1 || letter == '\n') return text;
      text += letter;
    }
  }

private:
  Descriptor m_read;
};

void report(int out, const std::string& text) {
  const std::string line = text + "\n";
  if (::write(out, line.data(), line.size()) < 0) _exit(3);
}

bool runs(NetworkHost& host, const std::string& command) {
  Reported reported(host, [&](int out) { report(out, std::system(command.c_str()) == 0 ? "done" : "failed"); });
  return reported.line() == "done";
}

void takeWaiting(LiveCapture& capture, CaptureAnalysis& analysis) {
  pollfd wait{capture.wakeDescriptor(), POLLIN, 0};
  poll(&wait, 1, 100);
  for (auto frame = capture.next(); frame && *frame != nullptr; frame = capture.next()) {
    if (const auto packet = decodePacket(**frame)) analysis.take(*packet);
  }
}

bool isOver(const CaptureAnalysis& analysis) {
  if (analysis.connectionCount() == 0) return false;
  const ConnectionSummary flow = analysis.connection(0).flow;
  return flow.directions[0].sent.fins > Count(0) && flow.directions[1].sent.fins > Count(0);
}

/// Receives what one client sends, and reports what a capture on all interfaces shows.
void receiveAndReport(int out) {
  LiveCaptureSettings settings;
  settings.filter = fmt::format("tcp port {}", kPort);
  auto capture = LiveCapture::open(settings);
  if (!capture) return report(out, "no capture");
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
  const sockaddr_in address = serverAddress();
  if (bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
  if (listen(listener.number(), 1) != 0) return;
  report(out, "ready");
  {
    const Descriptor client(accept(listener.number(), nullptr, nullptr));
    std::array<char, 65536> bytes{};
    while (::read(client.number(), bytes.data(), bytes.size()) > 0) {
    }
  }
  CaptureAnalysis analysis;
  for (int waits = 0; waits < 300 && !isOver(analysis); ++waits) takeWaiting(**capture, analysis);
  if (analysis.connectionCount() != 1) return report(out, "{}");
  const ConnectionSummary flow = analysis.connection(0).flow;
  json sides = json::array();
  for (const DirectionSummary& side : flow.directions) {
    sides.push_back({{"packets", side.sent.packets.value()},
                     {"unique", side.sent.unique.value()},
                     {"again", side.sent.retransmittedPackets.value()},
                     {"duplicate_acks", side.received.duplicateAcks.value()},
                     {"copies", side.copies.value()},
                     {"undecided", side.undecidedCopies.value()}});
  }
  report(out, sides.dump());
}

/// Reports how many segments the kernel retransmitted: on a busy machine, acknowledgments may be late.
void send(int out) {
  const Descriptor client(::socket(AF_INET, SOCK_STREAM, 0));
  const sockaddr_in address = serverAddress();
  if (connect(client.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
  const std::string bytes(kBytes, 'x');
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::write(client.number(), bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
  shutdown(client.number(), SHUT_WR);
  char end = 0;
  while (::read(client.number(), &end, 1) > 0) {
  }
  struct tcp_info info {};
  socklen_t size = sizeof info;
  if (getsockopt(client.number(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
    report(out, std::to_string(info.tcpi_total_retrans));
  }
}

TEST(BridgedCapture, CountsEachPacketOnce) {
  const auto inside = NetworkHost::make({});
  const auto outside = NetworkHost::make({});
  if (!inside || !outside) GTEST_SKIP() << (inside ? outside.error() : inside.error());
  const std::string wired = fmt::format(
      "(ip link add br0 type bridge && ip link add port type veth peer name wire netns {} && "
      "ip link set port master br0 && ip address add 10.78.0.1/24 dev br0 && ip link set port up && "
      "ip link set br0 up) 2>/dev/null",
      (*outside)->pid());
  const bool isWired = runs(**inside, wired) &&
                       runs(**outside, "(ip address add 10.78.0.2/24 dev wire && ip link set wire up) 2>/dev/null");
  if (!isWired) GTEST_SKIP() << "no bridge between two namespaces here";
  Reported receiver(**inside, receiveAndReport);
  const std::string first = receiver.line();
  if (first == "no capture") GTEST_SKIP() << "packet sockets need CAP_NET_RAW";
  ASSERT_EQ(first, "ready");
  Reported sender(**outside, send);
  const std::string retransmitted = sender.line();
  ASSERT_NE(retransmitted, "");
  const std::string text = receiver.line();
  const json sides = json::parse(text, nullptr, false);
  ASSERT_TRUE(sides.is_array()) << text;
  SCOPED_TRACE(text);
  EXPECT_EQ(sides[0].at("unique"), kBytes);
  EXPECT_EQ(sides[0].at("again"), std::stoi(retransmitted));
  EXPECT_LE(sides[1].at("duplicate_acks"), std::stoi(retransmitted));
  for (const json& side : sides) {
    EXPECT_EQ(side.at("copies"), side.at("packets"));
    EXPECT_EQ(side.at("undecided"), 0);
  }
}

}  // namespace
}  // namespace tcpscope
