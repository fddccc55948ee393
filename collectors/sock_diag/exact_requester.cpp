#include "collectors/sock_diag/exact_requester.h"

#include <cerrno>
#include <utility>

namespace tcpscope {

Expected<ExactRequester, NetlinkError> ExactRequester::open(const SockDiagAccess& access) {
  Expected<NetlinkChannelPointer, NetlinkError> channel = access.openRequests();
  if (!channel) return Unexpected<NetlinkError>(channel.error());
  return ExactRequester(access, std::move(*channel));
}

ExactRequester::ExactRequester(const SockDiagAccess& access, NetlinkChannelPointer channel)
    : m_open(access.openRequests),
      m_now(access.now),
      m_conversation(std::make_unique<DiagConversation>(std::move(channel), m_now)) {}

ExactRequester::Answer ExactRequester::refused(GapCounts& gaps) const {
  // Some kernels answer ESTALE for the cookie of a socket that is gone.
  if (m_conversation->refusal() == ENOENT || m_conversation->refusal() == ESTALE) return Answer::gone;
  gaps.add(GapKind::requestRefused);
  return Answer::none;
}

bool ExactRequester::send(std::span<const SocketAddress> sockets) {
  DiagRequest request = DiagRequest::exact(sockets.front(), m_conversation->nextSequence());
  for (const SocketAddress& socket : sockets.subspan(1)) request.addExact(socket, m_conversation->nextSequence());
  return m_conversation->ask(request).has_value();
}

void ExactRequester::giveUp(GapCounts& gaps) {
  gaps.add(GapKind::requestRefused);
  Expected<NetlinkChannelPointer, NetlinkError> channel = m_open();
  m_isBroken = !channel;
  if (channel) m_conversation = std::make_unique<DiagConversation>(std::move(*channel), m_now);
}

bool ExactRequester::mayGoOn(DiagConversation::Outcome outcome) {
  if (outcome == DiagConversation::Outcome::nothing) {
    return m_conversation->channel().waitReadable(kNetlinkAnswerTimeout);
  }
  return outcome != DiagConversation::Outcome::broken;
}

}  // namespace tcpscope
