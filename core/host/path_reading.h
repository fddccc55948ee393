// What probes of a path brought back: its routers, how far each is, and the largest packet that comes through whole.
#pragma once

#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/model/endpoint.h"

namespace tcpscope {

struct PathHop {
  /// Absent where nobody answered. The last answer's, where several routers share the work.
  std::optional<IpAddress> address;
  /// The smallest.
  std::optional<Microseconds> roundTrip;
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
  /// The largest packet that came as far as the last hop without being cut.
  std::optional<Bytes> mtu;
  /// Who said that larger ones do not pass.
  std::optional<IpAddress> narrowedBy;
  /// Packets of this size got lost and nobody said so, while smaller ones came through before and after.
  std::optional<Bytes> vanishing;
};

}  // namespace tcpscope
