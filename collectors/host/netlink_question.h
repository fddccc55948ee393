// Asks the kernel one question by netlink and hands over its answers, bounded in number and time.
#pragma once

#include <functional>

#include "collectors/sock_diag/netlink_channel.h"
#include "collectors/sock_diag/netlink_message.h"

namespace tcpscope {

struct QuestionLimits {
  std::size_t messages = 65'536;
  Milliseconds time{500};
};

enum class AnswerEnd : std::uint8_t {
  whole,
  /// There is more than the limits allow, or some was lost.
  cut,
};

/// `request` is a finished message whose sequence number the channel has not carried yet. Messages that answer
/// something else are passed over. Fails with the kernel's refusal, and with `nothingWaiting` when no answer came in
/// time. The channel is of no use after an answer that was cut.
Expected<AnswerEnd, NetlinkError> askKernel(NetlinkChannel& channel, std::span<const std::byte> request,
                                            const std::function<void(const NetlinkMessage&)>& visit,
                                            const QuestionLimits& limits = {});

}  // namespace tcpscope
