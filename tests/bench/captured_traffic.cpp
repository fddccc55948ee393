#include "tests/bench/captured_traffic.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/tcp.h>
#include <pcap/pcap.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>
#include <vector>

#include "tests/support/path_relay.h"

namespace tcpscope::bench {

namespace {

using test::NetworkHost;

constexpr int kSnapLength = 96;
constexpr std::uint16_t kPort = 5001;
constexpr int kRequestBytes = 100;
constexpr int kAnswerBytes = 8000;
constexpr int kClients = 16;

/// A child that does not outlive its parent, and runs `program`.
template <class Program>
void startChild(Program program) {
  if (fork() != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  program();
  _exit(0);
}

void waitForChildren() {
  while (wait(nullptr) > 0) continue;
}

sockaddr_in server() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  inet_pton(AF_INET, "10.77.0.2", &address.sin_addr);
  return address;
}

int listenHere() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = server();
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(listener, 512) != 0) {
    _exit(1);
  }
  return listener;
}

int connectToServer() {
  const sockaddr_in address = server();
  while (true) {
    const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    constexpr std::string_view kControl = "reno";
    setsockopt(connection, IPPROTO_TCP, TCP_CONGESTION, kControl.data(), static_cast<socklen_t>(kControl.size()));
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return connection;
    close(connection);
    // Refused until the server listens.
    usleep(20'000);
  }
}

bool readAll(int connection, std::size_t bytes) {
  std::vector<char> buffer(1U << 16);
  while (bytes > 0) {
    const ssize_t size = read(connection, buffer.data(), std::min(buffer.size(), bytes));
    if (size <= 0) return false;
    bytes -= static_cast<std::size_t>(size);
  }
  return true;
}

bool writeAll(int connection, std::size_t bytes) {
  const std::vector<char> buffer(1U << 16, 'x');
  while (bytes > 0) {
    const ssize_t size = send(connection, buffer.data(), std::min(buffer.size(), bytes), MSG_NOSIGNAL);
    if (size <= 0) return false;
    bytes -= static_cast<std::size_t>(size);
  }
  return true;
}

void drainConnections(int count) {
  const int listener = listenHere();
  for (int child = 0; child < count; ++child) {
    startChild([listener] {
      const int connection = accept(listener, nullptr, nullptr);
      while (readAll(connection, 1U << 16)) continue;
    });
  }
  waitForChildren();
}

void sendBulks(int count, std::size_t bytes) {
  for (int child = 0; child < count; ++child) {
    startChild([bytes] {
      const int connection = connectToServer();
      writeAll(connection, bytes);
      shutdown(connection, SHUT_WR);
      readAll(connection, 1);
    });
  }
  waitForChildren();
}

void answerRequests() {
  const int listener = listenHere();
  for (int child = 0; child < kClients; ++child) {
    startChild([listener] {
      while (true) {
        const int connection = accept(listener, nullptr, nullptr);
        if (readAll(connection, kRequestBytes)) writeAll(connection, kAnswerBytes);
        close(connection);
      }
    });
  }
  waitForChildren();
}

void answerOnOneConnectionEach() {
  const int listener = listenHere();
  for (int child = 0; child < kClients; ++child) {
    startChild([listener] {
      const int connection = accept(listener, nullptr, nullptr);
      while (readAll(connection, kRequestBytes) && writeAll(connection, kAnswerBytes)) continue;
    });
  }
  waitForChildren();
}

void askOnOneConnectionEach(int exchanges) {
  for (int child = 0; child < kClients; ++child) {
    startChild([exchanges] {
      const int connection = connectToServer();
      for (int request = 0; request < exchanges / kClients; ++request) {
        writeAll(connection, kRequestBytes);
        readAll(connection, kAnswerBytes);
      }
    });
  }
  waitForChildren();
}

void askOften(int connections) {
  for (int child = 0; child < kClients; ++child) {
    startChild([child, connections] {
      for (int request = child; request < connections; request += kClients) {
        const int connection = connectToServer();
        writeAll(connection, kRequestBytes);
        readAll(connection, kAnswerBytes);
        readAll(connection, 1);
        close(connection);
      }
    });
  }
  waitForChildren();
}

class CaptureTap {
public:
  explicit CaptureTap(const std::filesystem::path& file)
      : m_pcap(pcap_open_dead(DLT_RAW, kSnapLength)), m_dumper(pcap_dump_open(m_pcap, file.c_str())) {}
  CaptureTap(const CaptureTap&) = delete;
  CaptureTap& operator=(const CaptureTap&) = delete;
  ~CaptureTap() {
    if (m_dumper != nullptr) pcap_dump_close(m_dumper);
    pcap_close(m_pcap);
  }

  void write(std::span<const std::uint8_t> packet) {
    pcap_pkthdr header{};
    gettimeofday(&header.ts, nullptr);
    header.len = static_cast<bpf_u_int32>(packet.size());
    header.caplen = std::min<bpf_u_int32>(header.len, kSnapLength);
    pcap_dump(reinterpret_cast<u_char*>(m_dumper), &header, packet.data());
  }

private:
  pcap_t* m_pcap;
  pcap_dumper_t* m_dumper;
};

std::uint64_t packetsIn(const std::filesystem::path& file) {
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  pcap_t* capture = pcap_open_offline(file.c_str(), error.data());
  if (capture == nullptr) return 0;
  std::uint64_t packets = 0;
  pcap_pkthdr* header = nullptr;
  const u_char* bytes = nullptr;
  while (pcap_next_ex(capture, &header, &bytes) == 1) ++packets;
  pcap_close(capture);
  return packets;
}

/// `serve` is ended when `ask` has come to its end.
std::optional<CapturedTraffic> captureWhile(const std::filesystem::path& file, const lab::LinkSettings& there,
                                            const std::function<void()>& serve, const std::function<void()>& ask) {
  const std::map<std::string, std::string> sysctls = {
      {"tcp_rmem", "4096 131072 4194304"}, {"tcp_wmem", "4096 65536 4194304"}, {"tcp_no_metrics_save", "1"}};
  auto client = NetworkHost::make({"10.77.0.1", 1500, sysctls});
  auto host = NetworkHost::make({"10.77.0.2", 1500, sysctls});
  if (!client || !host) {
    fmt::print(stderr, "no network namespace with a TUN device: {}\n", client ? host.error() : client.error());
    return std::nullopt;
  }
  const std::array<const NetworkHost*, 2> ends = {client->get(), host->get()};
  lab::LinkSettings back;
  back.delay = there.delay;
  // Opened where it is written to: in the relay's process.
  test::PassedPacket passed = [file, tap = std::shared_ptr<CaptureTap>()](
                                  std::size_t end, std::span<const std::uint8_t> packet) mutable {
    if (end != 0) return;
    if (!tap) tap = std::make_shared<CaptureTap>(file);
    tap->write(packet);
  };
  test::PathRelay relay(ends, test::betweenTwoHosts({there, back}), std::move(passed));
  (*host)->start(serve);
  const pid_t asking = (*client)->start(ask);
  waitpid(asking, nullptr, 0);
  relay.stop();
  return CapturedTraffic{file, packetsIn(file)};
}

}  // namespace

std::optional<CapturedTraffic> captureBulk(const std::filesystem::path& folder, Bytes payload) {
  lab::LinkSettings link;
  link.delay = Milliseconds(1);
  return captureWhile(
      folder / "bulk.pcap", link, [] { drainConnections(1); }, [&] { sendBulks(1, payload.value()); });
}

std::optional<CapturedTraffic> captureLossy(const std::filesystem::path& folder, Bytes payload) {
  constexpr int kFlows = 4;
  lab::LinkSettings link;
  link.delay = Milliseconds(1);
  link.loss = lab::BernoulliLoss{0.005};
  return captureWhile(
      folder / "lossy.pcap", link, [] { drainConnections(kFlows); },
      [&] { sendBulks(kFlows, payload.value() / kFlows); });
}

std::optional<CapturedTraffic> captureShortFlows(const std::filesystem::path& folder, int connections) {
  return captureWhile(
      folder / "short.pcap", {}, [] { answerRequests(); }, [&] { askOften(connections); });
}

std::optional<CapturedTraffic> captureExchanges(const std::filesystem::path& folder, int exchanges) {
  return captureWhile(
      folder / "exchanges.pcap", {}, [] { answerOnOneConnectionEach(); }, [&] { askOnOneConnectionEach(exchanges); });
}

}  // namespace tcpscope::bench
