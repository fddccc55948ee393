// A network namespace with a connection over its loopback device that sends, or opens another, when the test asks for
// it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"

namespace tcpscope::test {

class ServingNamespace {
public:
  ServingNamespace() : m_process([this] { return serve(); }) {}

  [[nodiscard]] bool isThere() const { return m_process.isThere(); }
  [[nodiscard]] std::string pid() const { return m_process.pid(); }
  /// The client sends a byte, which the server does not read; both ends have it when this returns.
  void send() { ask('s'); }
  void connect() { ask('c'); }

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

  void ask(char command) {
    char answer = 0;
    if (write(m_commands.ends[1], &command, 1) != 1 || read(m_answers.ends[0], &answer, 1) != 1) {
      throw std::runtime_error("the process in the namespace ended");
    }
  }

  /// In the child, which ends with the object: a thread that serves.
  std::optional<std::thread> serve() {
    enterOwnNamespace();
    if (!hasOwnNamespace()) return std::nullopt;
    auto listener = std::make_unique<LoopbackListener>();
    auto first = listener->connect();
    return std::thread([this, listener = std::move(listener), first = std::move(first)] {
      std::vector<std::pair<Descriptor, Descriptor>> more;
      for (char command = 0; read(m_commands.ends[0], &command, 1) == 1;) {
        if (command == 'c') more.push_back(listener->connect());
        const bool isSent = command != 's' || ::send(first.first.number(), "x", 1, 0) == 1;
        if (!isSent || write(m_answers.ends[1], &command, 1) != 1) return;
      }
    });
  }

  Pipe m_commands;
  Pipe m_answers;
  NamespaceProcess m_process;
};

}  // namespace tcpscope::test
