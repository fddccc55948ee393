// What the checks of every layer share: the status of a counter that only faults increase, and an unknown row.
#pragma once

#include <array>

#include "core/host/host_checkup.h"

namespace tcpscope {

using Counters = std::map<std::string, std::uint64_t, std::less<>>;

struct CounterCheck {
  CheckId id;
  CheckLayer layer;
  /// Their sum; counters that a kernel does not have count as zero when another one is reported.
  std::array<std::string_view, 3> counters;
  /// What it is when the counter grows just now.
  CheckStatus whenGrowing = CheckStatus::fail;
};

/// By what came between the two readings, and what came before.
CheckStatus statusOf(std::uint64_t during, std::uint64_t ever, CheckStatus whenGrowing);

CheckRow rowOf(const CounterCheck& check, const UntrustedText& object, const Counters& before, const Counters& after);

/// The row, with why its figure is missing.
CheckRow unknown(CheckRow row, UnknownReason reason);

}  // namespace tcpscope
