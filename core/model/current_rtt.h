// The RTT that a socket shows, and whether it is of now.
//
// The smoothed RTT is measured with data that this end sends: an end that only receives keeps the one of its last
// request. The receiver's own estimate (rcv_rtt_us) does not replace it: where the sender pauses it includes the
// pauses.
#pragma once

#include <optional>

#include "core/model/tcp_info_sample.h"

namespace tcpscope {

struct CurrentRtt {
  /// Smoothed.
  Microseconds time{0};
  /// The peer went on sending for seconds after the last data of this end.
  bool isOld = false;
};

/// Nothing before the first measurement.
std::optional<CurrentRtt> currentRtt(const TcpInfoSample& info);

}  // namespace tcpscope
