#include "collectors/sock_diag/socket_closer.h"

#include <cerrno>

namespace tcpscope {

Expected<SocketCloser, NetlinkError> SocketCloser::open(const SockDiagAccess& access) {
  auto channel = access.openRequests();
  if (!channel) return Unexpected<NetlinkError>(channel.error());
  return SocketCloser(std::make_unique<DiagConversation>(std::move(*channel), access.now));
}

Expected<SocketCloser::Answer, NetlinkError> SocketCloser::close(const SocketAddress& socket) {
  using Outcome = DiagConversation::Outcome;
  const auto sent = m_conversation->ask(DiagRequest::close(socket, m_conversation->nextSequence()));
  if (!sent) return Unexpected<NetlinkError>(sent.error());
  GapCounts gaps;
  // Datagrams that answer something else are passed over.
  constexpr int kMostDatagrams = 64;
  for (int count = 0; count < kMostDatagrams; ++count) {
    const Outcome outcome = m_conversation->receive(gaps, [](std::span<const std::byte> /*payload*/, Moment /*at*/) {});
    if (outcome == Outcome::done) return Answer::closed;
    if (outcome == Outcome::refused) {
      const int number = m_conversation->refusal();
      if (number == ENOENT || number == ESTALE) return Answer::gone;
      return Unexpected<NetlinkError>(netlinkError(NetlinkError::Attempt::send, number));
    }
    if (outcome == Outcome::broken) break;
    if (outcome == Outcome::nothing && !m_conversation->channel().waitReadable(kNetlinkAnswerTimeout)) break;
  }
  return Unexpected<NetlinkError>({NetlinkError::Kind::failed, NetlinkError::Attempt::receive, 0});
}

}  // namespace tcpscope
