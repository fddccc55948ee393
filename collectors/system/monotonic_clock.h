// The clock that observations are taken by.
#pragma once

#include "core/base/moment.h"

namespace tcpscope {

/// CLOCK_MONOTONIC of this host.
Moment monotonicNow();

}  // namespace tcpscope
