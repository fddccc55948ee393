// The bare limit beside which ours is measured: a netlink dump with the same extensions, and the same exact request,
// whose bytes are discarded. Nothing is parsed but the end of the answer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "collectors/sock_diag/diag_request.h"

struct mnl_socket;

namespace tcpscope::bench {

class BareDump {
public:
  BareDump();
  ~BareDump();
  BareDump(const BareDump&) = delete;
  BareDump& operator=(const BareDump&) = delete;

  /// Everything. How many messages came.
  std::size_t dump();
  /// One exact request and its answer. False where the socket is gone.
  bool ask(const SocketAddress& socket);

private:
  std::size_t exchange(std::span<const std::byte> request, std::uint32_t sequence, bool isDump);

  mnl_socket* m_socket = nullptr;
  std::uint32_t m_sequence = 0;
  std::array<char, 32768> m_buffer{};
};

}  // namespace tcpscope::bench
