// A network namespace with connections over its loopback device. When the test asks for it, the first sends, or another
// opens.
#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"

namespace tcpscope::test {

class ServingNamespace {
public:
  explicit ServingNamespace(std::size_t connections = 1)
      : m_process([this, connections] { return serve(connections); }) {}

  [[nodiscard]] bool isThere() const { return m_process.isThere(); }
  [[nodiscard]] std::string pid() const { return m_process.pid(); }
  /// The client sends a byte, which waits for the server's program when this returns; its acknowledgment may come
  /// later.
  void send() { ask('s'); }
  /// The same on each of its connections.
  void sendOnAll() { ask('a'); }
  void connect() { ask('c'); }
  /// On another port.
  void listen() { ask('l'); }
  /// The client sends until neither its buffer nor the server's takes more.
  void fill() { ask('f'); }

private:
  struct Pipe {
    Pipe() {
      if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
      close(ends[0]);
      close(ends[1]);
    }
    int ends[2] = {-1, -1};
  };

  /// Bytes that the program has not read.
  static int waitingAt(const Descriptor& socket) {
    int bytes = -1;
    ioctl(socket.number(), FIONREAD, &bytes);
    return bytes;
  }

  void ask(char command) {
    char answer = 0;
    if (write(m_commands.ends[1], &command, 1) != 1 || read(m_answers.ends[0], &answer, 1) != 1) {
      throw std::runtime_error("the process in the namespace ended");
    }
  }

  /// In the child, which ends with the object: a thread that serves.
  std::optional<std::thread> serve(std::size_t connections) {
    enterOwnNamespace();
    if (!hasOwnNamespace()) return std::nullopt;
    auto listener = std::make_unique<LoopbackListener>();
    std::vector<std::pair<Descriptor, Descriptor>> held;
    while (held.size() < connections) held.push_back(listener->connect());
    return std::thread([this, listener = std::move(listener), held = std::move(held)]() mutable {
      std::vector<LoopbackListener> more;
      for (char command = 0; read(m_commands.ends[0], &command, 1) == 1;) {
        if (command == 'l') more.emplace_back();
        const std::string block(command == 'f' ? 65536 : 0, 'x');
        while (command == 'f' && ::send(held.front().first.number(), block.data(), block.size(), MSG_DONTWAIT) > 0) {
        }
        if (command == 'c') held.push_back(listener->connect());
        const std::size_t senders = command == 'a' ? held.size() : command == 's' ? 1 : 0;
        bool isSent = true;
        for (std::size_t sender = 0; sender < senders && isSent; ++sender) {
          const auto& [client, server] = held[sender];
          const int before = waitingAt(server);
          isSent = ::send(client.number(), "x", 1, 0) == 1;
          while (isSent && waitingAt(server) == before) {
          }
        }
        if (!isSent || write(m_answers.ends[1], &command, 1) != 1) return;
      }
    });
  }

  Pipe m_commands;
  Pipe m_answers;
  NamespaceProcess m_process;
};

}  // namespace tcpscope::test
