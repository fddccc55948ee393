#include "tests/bench/path_traffic.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

namespace tcpscope::bench {

namespace {

constexpr std::uint16_t kBulkPort = 5001;
constexpr std::uint16_t kProbePort = 5002;
constexpr std::size_t kMostProbes = 200'000;
constexpr timespec kShortWhile{0, 20'000'000};
constexpr timespec kProbeInterval{0, 1'000'000};

sockaddr_in endpoint(const char* address, std::uint16_t port) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_port = htons(port);
  inet_pton(AF_INET, address, &result.sin_addr);
  return result;
}

template <class Call>
int with(const sockaddr_in& address, int descriptor, Call call) {
  return call(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void receiveBulk(std::atomic<std::uint64_t>& received, const std::optional<Bytes>& window) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (window) {
    const int clamp = static_cast<int>(window->value());
    setsockopt(listener, IPPROTO_TCP, TCP_WINDOW_CLAMP, &clamp, sizeof clamp);
  }
  if (with(endpoint("0.0.0.0", kBulkPort), listener, bind) != 0 || listen(listener, 4) != 0) return;
  const int connection = accept(listener, nullptr, nullptr);
  // Woken for lumps: waking a program for each packet would cost the path a sixth of its processor.
  const int lump = 1 << 17;
  setsockopt(connection, SOL_SOCKET, SO_RCVLOWAT, &lump, sizeof lump);
  std::vector<char> buffer(1U << 18);
  for (ssize_t size = 1; size > 0; received += static_cast<std::uint64_t>(std::max<ssize_t>(size, 0))) {
    size = read(connection, buffer.data(), buffer.size());
  }
}

void sendBulk(const std::string& congestionControl) {
  const sockaddr_in peer = endpoint("10.77.0.2", kBulkPort);
  int connection = -1;
  do {
    if (connection >= 0) close(connection);
    nanosleep(&kShortWhile, nullptr);
    connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, congestionControl.data(),
               static_cast<socklen_t>(congestionControl.size()));
  } while (with(peer, connection, connect) != 0);
  const std::vector<char> bytes(1U << 18, 'x');
  while (send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0) {
  }
}

void sendProbes() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  with(endpoint("10.77.0.1", kProbePort), descriptor, connect);
  while (true) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    // Refused until the peer listens.
    send(descriptor, &now, sizeof now, MSG_NOSIGNAL);
    nanosleep(&kProbeInterval, nullptr);
  }
}

/// The kernel's moment of arrival, less the moment in the datagram.
bool receiveProbe(int descriptor, std::int64_t& delay) {
  timespec sent{};
  iovec part{&sent, sizeof sent};
  alignas(cmsghdr) std::array<char, 128> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (recvmsg(descriptor, &message, 0) != sizeof sent) return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_type != SCM_TIMESTAMPNS) return false;
  timespec arrived{};
  std::memcpy(&arrived, CMSG_DATA(header), sizeof arrived);
  delay = nanoseconds(arrived) - nanoseconds(sent);
  return true;
}

}  // namespace

struct PathTraffic::Shared {
  std::atomic<std::uint64_t> received{0};
  std::atomic<std::size_t> probes{0};
  std::array<std::int64_t, kMostProbes> delays{};

  void receiveProbes() {
    const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int wanted = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &wanted, sizeof wanted);
    with(endpoint("0.0.0.0", kProbePort), descriptor, bind);
    while (probes < kMostProbes) {
      if (receiveProbe(descriptor, delays[probes])) ++probes;
    }
  }
};

PathTraffic::PathTraffic(test::NetworkHost& sender, test::NetworkHost& receiver)
    : m_sender(sender), m_receiver(receiver) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  m_shared = new (memory) Shared;
}

PathTraffic::~PathTraffic() {
  stop();
  munmap(m_shared, sizeof(Shared));
}

void PathTraffic::startBulk(const std::string& congestionControl, std::optional<Bytes> window) {
  m_programs.push_back(m_receiver.start([&] { receiveBulk(m_shared->received, window); }));
  m_programs.push_back(m_sender.start([&] { sendBulk(congestionControl); }));
}

void PathTraffic::startProbes() {
  m_programs.push_back(m_sender.start([this] { m_shared->receiveProbes(); }));
  m_programs.push_back(m_receiver.start([] { sendProbes(); }));
}

void PathTraffic::stop() {
  for (const pid_t program : m_programs) kill(program, SIGKILL);
  m_programs.clear();
}

Bytes PathTraffic::received() const {
  return Bytes(m_shared->received);
}

std::vector<double> PathTraffic::probeDelays() const {
  std::vector<double> delays;
  const std::size_t probes = m_shared->probes;
  for (std::size_t probe = 0; probe < probes; ++probe) {
    delays.push_back(static_cast<double>(m_shared->delays[probe]) * 1e-9);
  }
  return delays;
}

DeviceCounters deviceCounters(const test::NetworkHost& host) {
  std::ifstream file(fmt::format("/proc/{}/net/dev", host.pid()));
  for (std::string line; std::getline(file, line);) {
    const std::size_t name = line.find("path0:");
    if (name == std::string::npos) continue;
    std::istringstream columns(line.substr(name + 6));
    std::array<std::uint64_t, 16> values{};
    for (std::uint64_t& value : values) columns >> value;
    return {values[9], values[1]};
  }
  return {};
}

}  // namespace tcpscope::bench
