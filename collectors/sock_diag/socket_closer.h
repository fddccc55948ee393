// Closes TCP connections of this host at the kernel's end, as `ss -K` does: SOCK_DESTROY of sock_diag (Linux 4.5,
// CONFIG_INET_DIAG_DESTROY). Their programs get ECONNABORTED, their peers a reset (tcp_abort() in net/ipv4/tcp.c).
//
// Needs CAP_NET_ADMIN in the user namespace of the network namespace.
#pragma once

#include "collectors/sock_diag/diag_conversation.h"

namespace tcpscope {

class SocketCloser {
public:
  static Expected<SocketCloser, NetlinkError> open(const SockDiagAccess& access);

  enum class Answer : std::uint8_t {
    closed,
    /// The kernel knows no such socket any more.
    gone,
  };
  /// Fails with `notPermitted` without the right, and with `notSupported` where the kernel is built without.
  Expected<Answer, NetlinkError> close(const SocketAddress& socket);

private:
  explicit SocketCloser(std::unique_ptr<DiagConversation> conversation) : m_conversation(std::move(conversation)) {}

  std::unique_ptr<DiagConversation> m_conversation;
};

}  // namespace tcpscope
