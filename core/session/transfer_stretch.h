// What a stretch of a transfer shows for a comparison with another one.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/limits/limit.h"
#include "core/model/connection_history.h"

namespace tcpscope {

/// Fewer say nothing of how much the goodput varies.
inline constexpr std::size_t kFewestBlocks = 3;

/// Means of goodput in bit/s, in order of time, each over a block so long that the next one says something new; empty
/// where bytes were not counted.
std::vector<double> goodputBlocks(const ConnectionHistory& history, Side side, Moment from, Moment to);

/// Absent where none was measured.
std::optional<Microseconds> smallestRtt(const ConnectionHistory& history, Moment from, Moment to);

}  // namespace tcpscope
