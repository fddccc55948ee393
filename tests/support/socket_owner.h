// A process of its own that holds a connection of the loopback interface, as a running program does, and says what it
// sees of its socket.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "core/model/socket_observation.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope::test {

class SocketOwner {
public:
  /// With SO_SNDBUF set before it connected; 0 leaves it to the kernel.
  explicit SocketOwner(int sendBufferBytes) {
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, m_channel.data()) != 0) {
      throw std::runtime_error("no channel to the program");
    }
    m_pid = fork();
    if (m_pid == 0) {
      close(m_channel[0]);
      live(m_channel[1], sendBufferBytes);
      _exit(0);
    }
    close(m_channel[1]);
    if (read(m_channel[0], &m_self, sizeof m_self) != sizeof m_self) throw std::runtime_error("the program ended");
  }
  SocketOwner(const SocketOwner&) = delete;
  SocketOwner& operator=(const SocketOwner&) = delete;
  ~SocketOwner() {
    end();
    close(m_channel[0]);
  }

  [[nodiscard]] pid_t pid() const { return m_pid; }
  [[nodiscard]] SocketObservation connection() const {
    SocketObservation observed;
    observed.id.cookie = m_self.cookie;
    observed.inode = m_self.inode;
    observed.state = TcpState::established;
    return observed;
  }
  [[nodiscard]] std::uint16_t localPort() const { return m_self.localPort; }
  [[nodiscard]] std::uint16_t remotePort() const { return m_self.remotePort; }

  /// As the program itself sees it.
  int option(int level, int number) { return ask({Task::get, level, number, 0}); }
  int sendBuffer() { return option(SOL_SOCKET, SO_SNDBUF); }
  void setOption(int level, int number, int value) { ask({Task::set, level, number, value}); }
  /// Sends and reads until the kernel gave its send buffer more than `bytes`; the buffer's size.
  int sendUntilBufferExceeds(int bytes) { return ask({Task::transfer, 0, 0, bytes}); }
  /// Closes its descriptor of the connection. True if the peer then receives the FIN; false if it does not within 2 s.
  bool closeConnection() { return ask({Task::close, 0, 0, 0}) == 1; }
  void end() {
    if (m_pid <= 0) return;
    kill(m_pid, SIGKILL);
    waitpid(std::exchange(m_pid, -1), nullptr, 0);
  }

private:
  enum class Task { get, set, transfer, close };
  struct Question {
    Task task;
    int level;
    int number;
    int value;
  };
  struct Self {
    std::uint64_t cookie;
    std::uint32_t inode;
    std::uint16_t localPort;
    std::uint16_t remotePort;
  };

  int ask(const Question& question) const {
    int answer = -1;
    if (write(m_channel[0], &question, sizeof question) != sizeof question ||
        read(m_channel[0], &answer, sizeof answer) != sizeof answer) {
      throw std::runtime_error("the program does not answer");
    }
    return answer;
  }

  static int get(int socket, int level, int number) {
    int value = -1;
    socklen_t size = sizeof value;
    getsockopt(socket, level, number, &value, &size);
    return value;
  }

  static int transfer(int from, int to, int wanted) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 30;
    std::array<char, 65536> bytes{};
    for (std::size_t moved = 0; moved < kMostBytes && get(from, SOL_SOCKET, SO_SNDBUF) <= wanted;) {
      while (send(from, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
      }
      const ssize_t got = recv(to, bytes.data(), bytes.size(), 0);
      if (got <= 0) break;
      moved += static_cast<std::size_t>(got);
    }
    return get(from, SOL_SOCKET, SO_SNDBUF);
  }

  static int hasEnded(int peer) {
    constexpr int kMostMilliseconds = 2000;
    pollfd waited{peer, POLLIN, 0};
    char byte = 0;
    return ::poll(&waited, 1, kMostMilliseconds) == 1 && recv(peer, &byte, 1, 0) == 0 ? 1 : 0;
  }

  [[noreturn]] static void live(int channel, int sendBufferBytes) {
    const test::LoopbackListener listener;
    test::Descriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (sendBufferBytes > 0) {
      setsockopt(client.number(), SOL_SOCKET, SO_SNDBUF, &sendBufferBytes, sizeof sendBufferBytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(listener.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::connect(client.number(), generic, sizeof address) != 0) _exit(1);
    const test::Descriptor server(accept(listener.number(), nullptr, nullptr));
    struct stat status {};
    fstat(client.number(), &status);
    socklen_t size = sizeof address;
    getsockname(client.number(), generic, &size);
    const Self self{test::cookieOf(client), static_cast<std::uint32_t>(status.st_ino), ntohs(address.sin_port),
                    listener.port()};
    if (write(channel, &self, sizeof self) != sizeof self) _exit(1);
    Question question{};
    while (read(channel, &question, sizeof question) == sizeof question) {
      int answer = 0;
      if (question.task == Task::get) answer = get(client.number(), question.level, question.number);
      if (question.task == Task::transfer) answer = transfer(client.number(), server.number(), question.value);
      if (question.task == Task::set) {
        answer = setsockopt(client.number(), question.level, question.number, &question.value, sizeof question.value);
      }
      if (question.task == Task::close) {
        client = test::Descriptor();
        answer = hasEnded(server.number());
      }
      if (write(channel, &answer, sizeof answer) != sizeof answer) break;
    }
    _exit(0);
  }

  std::array<int, 2> m_channel{-1, -1};
  pid_t m_pid = -1;
  Self m_self{};
};

}  // namespace tcpscope::test
