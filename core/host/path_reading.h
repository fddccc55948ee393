// Results of probing a path: its routers, the RTT to each, and the path MTU.
#pragma once

#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/model/endpoint.h"

namespace tcpscope {

struct PathHop {
  /// Absent without an answer. Of the last answer, where several routers share the load.
  std::optional<IpAddress> address;
  /// The smallest.
  std::optional<Microseconds> rtt;
};

struct PathReading {
  IpAddress target;
  /// From here on, the nearest first; those behind the last that answered are left out.
  std::vector<PathHop> hops;
  /// The last hop is the target itself.
  bool isReached = false;
  /// The last hop said that it goes no further: no route, or not allowed.
  bool isRefused = false;
  /// Of the interface that the packets leave by.
  std::optional<Bytes> localMtu;
  /// The path MTU: the largest size that reached the last hop without fragmentation.
  std::optional<Bytes> mtu;
  /// Who said that larger ones do not pass.
  std::optional<IpAddress> narrowedBy;
  /// Packets of this size were lost silently, while smaller ones arrived before and after.
  std::optional<Bytes> vanishing;
};

}  // namespace tcpscope
