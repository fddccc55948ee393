#include "tests/bench/bare_dump.h"

#include <libmnl/libmnl.h>
#include <linux/netlink.h>

#include <cstdio>
#include <cstdlib>

#include "tests/bench/measurement.h"

namespace tcpscope::bench {

BareDump::BareDump() : m_socket(mnl_socket_open(NETLINK_SOCK_DIAG)) {
  if (m_socket == nullptr || mnl_socket_bind(m_socket, 0, MNL_SOCKET_AUTOPID) < 0) giveUp("sock_diag");
}

BareDump::~BareDump() {
  mnl_socket_close(m_socket);
}

std::size_t BareDump::dump() {
  const DiagRequest request = DiagRequest::dump(0xffffffffU, {}, ++m_sequence);
  return exchange(request.bytes(), m_sequence, true);
}

bool BareDump::ask(const SocketAddress& socket) {
  const DiagRequest request = DiagRequest::exact(socket, ++m_sequence);
  return exchange(request.bytes(), m_sequence, false) == 1;
}

std::size_t BareDump::exchange(std::span<const std::byte> request, std::uint32_t sequence, bool isDump) {
  if (mnl_socket_sendto(m_socket, request.data(), request.size()) < 0) giveUp("send a request");
  std::size_t messages = 0;
  while (true) {
    const ssize_t size = mnl_socket_recvfrom(m_socket, m_buffer.data(), m_buffer.size());
    if (size < 0) giveUp("receive an answer");
    int left = static_cast<int>(size);
    for (const auto* message = reinterpret_cast<const nlmsghdr*>(m_buffer.data()); mnl_nlmsg_ok(message, left);
         message = mnl_nlmsg_next(message, &left)) {
      if (message->nlmsg_seq != sequence) continue;
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) return messages;
      ++messages;
      if (!isDump) return messages;
    }
  }
}

}  // namespace tcpscope::bench
