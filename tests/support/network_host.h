// A host of its own for a test: a network namespace with one TUN device as its only way out.
//
// Needs either root or user namespaces; make() says why where neither works, so that the test can skip with the reason.
// Everything ends with the object: it kills the programs that it started, and the namespace goes with its last process.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace tcpscope::test {

struct HostSettings {
  /// Dotted quad within 10.77.0.0/24.
  std::string address = "10.77.0.1";
  int mtuBytes = 1500;
  /// Below /proc/sys/net/ipv4: {"tcp_rmem", "4096 16384 65536"}.
  std::map<std::string, std::string> sysctls;
};

class NetworkHost {
public:
  /// The host, or one line that says why this machine cannot have one.
  static Expected<std::unique_ptr<NetworkHost>, std::string> make(const HostSettings& settings);
  NetworkHost(const NetworkHost&) = delete;
  NetworkHost& operator=(const NetworkHost&) = delete;
  ~NetworkHost();

  /// A process that lives in the namespace as long as the host: what `--netns PID` takes.
  [[nodiscard]] pid_t pid() const { return m_keeper; }
  /// Packets written here arrive at the host; packets read here were sent by it.
  [[nodiscard]] int tunDescriptor() const { return m_tun; }
  /// Runs `program` in a process inside the namespace.
  pid_t start(const std::function<void()>& program);

private:
  NetworkHost() = default;

  pid_t m_keeper = -1;
  int m_tun = -1;
  /// The keeper ends when this is closed.
  int m_channel = -1;
  std::vector<pid_t> m_programs;
};

/// Ends a child of this process and waits for it.
void endChild(pid_t child);

}  // namespace tcpscope::test
