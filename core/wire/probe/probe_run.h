// What both ends of a run of a probe counted and timed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/wire/probe/probe_plan.h"

namespace tcpscope {

/// At the end that sends.
struct ProbeSent {
  /// When each packet was given to the kernel, in the order of their sequence numbers.
  std::vector<Moment> times;
  /// Packets that the kernel of this host did not take: they never were on the path.
  std::uint64_t refused = 0;
  /// Of the packets that were sent back, in the order in which they came.
  std::vector<Nanoseconds> rtts;
};

/// At the end that receives.
struct ProbeReceived {
  /// By sequence number.
  std::vector<bool> arrived;
  /// With those that came twice.
  std::uint64_t packets = 0;
  std::uint64_t duplicates = 0;
  /// Behind one with a higher sequence number.
  std::uint64_t reordered = 0;
  /// Lost at the receiving socket, whose buffer was full (SK_MEMINFO_DROPS); absent where its kernel does not say.
  std::optional<std::uint64_t> overflowed;
  /// From the first that arrived to the last, by the receiver's clock; absent with fewer than two.
  std::optional<Nanoseconds> span;
};

struct ProbeRun {
  ProbeRunPlan plan;
  ProbeSent sent;
  ProbeReceived received;
};

}  // namespace tcpscope
