// The program set the buffer's size itself (SO_RCVBUF, SO_SNDBUF), which ends auto-tuning. It had better not; from
// outside the lock can be taken off a running socket (SO_BUF_LOCK, Linux 5.15), as far as its window scale lets it
// grow.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> lockedReceiveBuffer(const AdviceInput& input);
std::optional<Remedy> lockedSendBuffer(const AdviceInput& input);

}  // namespace tcpscope::remedies
