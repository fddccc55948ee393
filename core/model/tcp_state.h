// The states of RFC 9293 with the kernel's numbers (include/net/tcp_states.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace tcpscope {

enum class TcpState : std::uint8_t {
  unknown = 0,
  established = 1,
  synSent = 2,
  synReceived = 3,
  finWait1 = 4,
  finWait2 = 5,
  timeWait = 6,
  close = 7,
  closeWait = 8,
  lastAck = 9,
  listen = 10,
  closing = 11,
  newSynReceived = 12,
};

/// "ESTABLISHED", "TIME-WAIT", …: the names of RFC 9293.
std::string_view name(TcpState state);

/// The kernel's number for a state; `unknown` for one that is not in the list.
TcpState tcpStateFromKernel(std::uint8_t number);

}  // namespace tcpscope
