// Traffic whose outcome the bench of the lab's path reads while it runs: one bulk transfer, and probes against its
// direction that measure the delay of each one.
//
// Sender, receiver and probers are processes of their own inside the hosts; the figures are in shared memory.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "tests/support/network_host.h"

namespace tcpscope::bench {

class PathTraffic {
public:
  /// The hosts must outlive it and have the addresses 10.77.0.1 and 10.77.0.2.
  PathTraffic(test::NetworkHost& sender, test::NetworkHost& receiver);
  PathTraffic(const PathTraffic&) = delete;
  PathTraffic& operator=(const PathTraffic&) = delete;
  ~PathTraffic();

  /// One connection that writes all the time. `window`: the most in flight that the receiver allows; nothing: what the
  /// hosts' settings allow.
  void startBulk(const std::string& congestionControl, std::optional<Bytes> window);
  /// A small datagram each millisecond from the receiver to the sender. The moment of arrival is the kernel's.
  void startProbes();
  void stop();

  /// What the receiving program has read so far.
  [[nodiscard]] Bytes received() const;
  /// One-way delays of the probes that have arrived so far, in seconds.
  [[nodiscard]] std::vector<double> probeDelays() const;

private:
  struct Shared;

  test::NetworkHost& m_sender;
  test::NetworkHost& m_receiver;
  Shared* m_shared;
  std::vector<pid_t> m_programs;
};

/// Packets that a host's device has handed to the path, and those that came from it: the kernel's own counters.
struct DeviceCounters {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};
DeviceCounters deviceCounters(const test::NetworkHost& host);

}  // namespace tcpscope::bench
