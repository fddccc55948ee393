// Which of the kernel's RTTs is of now.
//
// The smoothed RTT (rtt_us) is measured with data that this end sends: an end that only receives keeps the one of its
// last request. Its kernel then estimates the RTT from the data that arrives (rcv_rtt_us, `tcp_rcv_rtt_update`).
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/tcp_info_sample.h"

namespace tcpscope {

enum class RttSource : std::uint8_t {
  /// Smoothed RTT, while this end sends data.
  smoothed,
  /// The receiver's estimate: this end has not sent data for a while, the peer has.
  receiver,
  /// Smoothed RTT from when this end last sent data; the peer went on sending, and nothing newer is known.
  old,
};

struct CurrentRtt {
  Microseconds time{0};
  RttSource source = RttSource::smoothed;
};

/// Nothing before the first measurement.
std::optional<CurrentRtt> currentRtt(const TcpInfoSample& info);

}  // namespace tcpscope
