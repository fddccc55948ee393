#include "collectors/sock_diag/diag_conversation.h"

#include <linux/inet_diag.h>
#include <linux/sock_diag.h>

#include <cerrno>

namespace tcpscope {

DiagConversation::DiagConversation(NetlinkChannelPointer channel, std::function<Moment()> now)
    : m_channel(std::move(channel)),
      m_now(std::move(now)),
      m_buffer(kReceiveBufferBytes),
      m_portId(m_channel->portId()) {}

Expected<void, NetlinkError> DiagConversation::ask(const DiagRequest& request) {
  m_refusal = 0;
  m_interrupted = false;
  Expected<void, NetlinkError> sent = m_channel->send(request.bytes());
  m_askedAt = m_now();
  m_filledAt = m_askedAt;
  m_isDump = request.isDump();
  m_questions = request.questions();
  m_firstSequence = m_sequence - (m_questions - 1);
  return sent;
}

std::optional<std::span<const std::byte>> DiagConversation::receiveDatagram(GapCounts& gaps) {
  const Expected<std::size_t, NetlinkError> size = m_channel->receive(m_buffer);
  m_takenAt = m_filledAt;
  if (m_isDump) m_filledAt = m_now();
  if (size) return std::span<const std::byte>(m_buffer).first(*size);
  switch (size.error().kind) {
    case NetlinkError::Kind::overflow:
      gaps.add(GapKind::receiveBufferOverflow);
      m_outcome = Outcome::more;
      break;
    case NetlinkError::Kind::truncated:
      gaps.add(GapKind::malformedMessage);
      m_outcome = Outcome::more;
      break;
    case NetlinkError::Kind::nothingWaiting:
      m_outcome = Outcome::nothing;
      break;
    default:
      m_outcome = Outcome::broken;
      break;
  }
  return std::nullopt;
}

bool DiagConversation::isOurs(const nlmsghdr& header) {
  const std::uint32_t question = header.nlmsg_seq - m_firstSequence;
  if (question >= m_questions || header.nlmsg_pid != m_portId) return false;
  m_question = question;
  return true;
}

bool DiagConversation::isAnswer(const nlmsghdr& header) {
  if (!isOurs(header)) return false;
  if ((header.nlmsg_flags & NLM_F_DUMP_INTR) != 0) m_interrupted = true;
  // An answer carries the type of its request: of an exact one, of a dump.
  return header.nlmsg_type == SOCK_DIAG_BY_FAMILY || header.nlmsg_type == TCPDIAG_GETSOCK;
}

DiagConversation::Outcome DiagConversation::control(const NetlinkMessage& message, Outcome before, GapCounts& gaps) {
  const bool isEnd = message.header.nlmsg_type == NLMSG_DONE || message.header.nlmsg_type == NLMSG_ERROR;
  if (!isOurs(message.header) || !isEnd) {
    gaps.add(GapKind::foreignMessage);
    return before;
  }
  std::int32_t status = 0;
  if (message.payload.size() < sizeof status) {
    gaps.add(GapKind::malformedMessage);
    return Outcome::done;
  }
  std::memcpy(&status, message.payload.data(), sizeof status);
  if (status >= 0) return Outcome::done;
  m_refusal = -status;
  return Outcome::refused;
}

}  // namespace tcpscope
