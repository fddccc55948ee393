#include "core/model/tcp_state.h"

#include <array>

namespace tcpscope {

std::string_view name(TcpState state) {
  static constexpr std::array<std::string_view, 13> kNames = {
      "UNKNOWN", "ESTABLISHED", "SYN-SENT", "SYN-RECEIVED", "FIN-WAIT-1", "FIN-WAIT-2",  "TIME-WAIT",
      "CLOSED",  "CLOSE-WAIT",  "LAST-ACK", "LISTEN",       "CLOSING",    "SYN-RECEIVED"};
  return kNames[static_cast<std::size_t>(state)];
}

TcpState tcpStateFromKernel(std::uint8_t number) {
  return number <= static_cast<std::uint8_t>(TcpState::newSynReceived) ? static_cast<TcpState>(number)
                                                                       : TcpState::unknown;
}

}  // namespace tcpscope
