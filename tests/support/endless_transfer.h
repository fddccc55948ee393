// A connection over the loopback interface with data on it, for processes that are killed at their end
// (NamespaceProcess).
#pragma once

#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "tests/support/loopback_connection.h"

namespace tcpscope::test {

/// Sends to itself from a thread of its own until the process is killed: nothing joins that.
class EndlessTransfer {
public:
  EndlessTransfer() : m_ends(LoopbackListener().connect()) {
    std::thread([client = m_ends.first.number(), server = m_ends.second.number()] {
      std::array<char, 1000> data{};
      while (write(client, data.data(), data.size()) > 0 && read(server, data.data(), data.size()) > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }).detach();
  }

private:
  std::pair<Descriptor, Descriptor> m_ends;
};

}  // namespace tcpscope::test
