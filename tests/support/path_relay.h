// A path between two hosts of a test: delay, and where wanted a rate with a queue, and loss.
//
// It copies packets between the hosts' TUN devices in a process of its own. Loss falls only on packets from the first
// host that carry data, so that a test knows what it did. Random loss comes from a fixed seed.
#pragma once

#include <memory>
#include <optional>

#include "core/base/units.h"
#include "tests/support/network_host.h"

namespace tcpscope::test {

struct PathSettings {
  Microseconds oneWayDelay{10'000};
  /// Of each direction; without it only the processor limits.
  std::optional<BitsPerSecond> rate;
  /// What waits for the rate; more is dropped at the tail.
  Bytes queue{250'000};
  /// Share of the data packets from the first host that vanish.
  double lossRatio = 0.0;
};

class PathRelay {
public:
  PathRelay(const NetworkHost& first, const NetworkHost& second, const PathSettings& settings);
  PathRelay(const PathRelay&) = delete;
  PathRelay& operator=(const PathRelay&) = delete;
  ~PathRelay() { endChild(m_process); }

private:
  pid_t m_process = -1;
};

}  // namespace tcpscope::test
