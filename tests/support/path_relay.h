// The lab's emulated path between the hosts of a test, carried by a process of its own.
//
// Host n of the settings is hosts[n], which must have the address of hostAddress(n). The process ends with the object,
// or by stop(), which gives what it counted.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "app/lab/path/path_log.h"
#include "app/lab/path/path_settings.h"
#include "tests/support/network_host.h"

namespace tcpscope::test {

/// Both ways the same.
lab::DuplexSettings bothWays(const lab::LinkSettings& link);
/// Two hosts at the ends of a path.
lab::PathSettings betweenTwoHosts(const lab::DuplexSettings& path);

struct RelayResult {
  lab::PathReport report;
  /// Of the relay's process, the kernel's part included: also what the kernel does with packets that arrive.
  Nanoseconds processorTime{0};
};

/// Notified, in the relay's process, of each packet that passes the device of a host. Destroyed when the path ends, so
/// that what it holds is finished then.
using PassedPacket = std::function<void(std::size_t host, std::span<const std::uint8_t> packet)>;

class PathRelay {
public:
  PathRelay(std::span<const NetworkHost* const> hosts, const lab::PathSettings& settings, PassedPacket passed = {});
  PathRelay(const PathRelay&) = delete;
  PathRelay& operator=(const PathRelay&) = delete;
  ~PathRelay();

  /// Every drop and mark so far.
  [[nodiscard]] std::vector<lab::PathEvent> events() const;
  /// Ends the path. To be called once.
  RelayResult stop();

private:
  struct Shared;

  pid_t m_process = -1;
  int m_log = -1;
  int m_wake = -1;
  /// Shared with the process, which fills it at its end.
  Shared* m_shared = nullptr;
};

}  // namespace tcpscope::test
