// Asks on one channel and sorts what comes back: answers to the question asked last, and the rest, which is counted.
//
// The kernel fills its next answer while it hands over the present one, so that a dump's bytes are as old as the call
// before: that is the moment which receive() passes on.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "collectors/sock_diag/diag_request.h"
#include "collectors/sock_diag/gap_counts.h"
#include "collectors/sock_diag/netlink_channel.h"
#include "collectors/sock_diag/netlink_message.h"

namespace tcpscope {

class DiagConversation {
public:
  enum class Outcome : std::uint8_t {
    /// Messages came, more will.
    more,
    /// The answer is complete.
    done,
    /// Nothing waits; the caller may wait on the channel.
    nothing,
    /// The kernel answered with an error: see refusal().
    refused,
    /// The channel does not work any more.
    broken,
  };

  DiagConversation(NetlinkChannelPointer channel, std::function<Moment()> now);

  /// To be built into the next request; for each of its questions, one behind the other.
  std::uint32_t nextSequence() { return ++m_sequence; }
  Expected<void, NetlinkError> ask(const DiagRequest& request);

  /// One datagram; `visit(payload, takenAt)` for each diagnosis message in it that answers the request asked last.
  template <class Visit>
  Outcome receive(GapCounts& gaps, Visit&& visit) {
    const std::optional<std::span<const std::byte>> datagram = receiveDatagram(gaps);
    if (!datagram) return m_outcome;
    NetlinkMessages messages(*datagram);
    Outcome outcome = Outcome::more;
    while (const std::optional<NetlinkMessage> message = messages.next()) {
      if (isAnswer(message->header)) [[likely]] {
        visit(message->payload, m_takenAt);
        continue;
      }
      outcome = control(*message, outcome, gaps);
    }
    if (messages.cut()) gaps.add(GapKind::malformedMessage);
    return outcome;
  }

  /// Which question of the request the last answer or refusal is for.
  [[nodiscard]] std::size_t question() const { return m_question; }
  [[nodiscard]] Moment askedAt() const { return m_askedAt; }
  /// errno of the kernel's refusal, positive.
  [[nodiscard]] int refusal() const { return m_refusal; }
  /// The kernel said that the dump was inconsistent.
  [[nodiscard]] bool interrupted() const { return m_interrupted; }
  [[nodiscard]] NetlinkChannel& channel() { return *m_channel; }

private:
  std::optional<std::span<const std::byte>> receiveDatagram(GapCounts& gaps);
  /// Belongs to the request asked last; notes to which question.
  bool isOurs(const nlmsghdr& header);
  [[nodiscard]] bool isAnswer(const nlmsghdr& header);
  Outcome control(const NetlinkMessage& message, Outcome before, GapCounts& gaps);

  NetlinkChannelPointer m_channel;
  std::function<Moment()> m_now;
  std::vector<std::byte> m_buffer;
  std::uint32_t m_portId;
  std::uint32_t m_sequence = 0;
  /// Of the request asked last.
  std::uint32_t m_firstSequence = 0;
  std::uint32_t m_questions = 0;
  std::size_t m_question = 0;
  Moment m_askedAt;
  /// The kernel fills the first datagram when it is asked, each other one of a dump when the one before it is taken.
  bool m_isDump = false;
  Moment m_filledAt;
  Moment m_takenAt;
  Outcome m_outcome = Outcome::nothing;
  int m_refusal = 0;
  bool m_interrupted = false;
};

}  // namespace tcpscope
