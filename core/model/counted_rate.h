// The rate of a counter of bytes in even steps, to compare one span of a connection's past with another.
#pragma once

#include <vector>

#include "core/model/connection_history.h"

namespace tcpscope {

/// In bit/s, one value a step from `from` on, as many whole ones as the history has before `to`; nothing for the steps
/// before its first sample. `bytes` is a counter that only grows, such as Metric::bytesAcked.
std::vector<double> bitRateSteps(const ConnectionHistory& history, Metric bytes, Moment from, Moment to,
                                 Nanoseconds step);

}  // namespace tcpscope
