// Asks the kernel for one socket by its address and cookie, on a channel of its own, and waits for the answer.
//
// A channel that lost an answer or does not work is replaced by a fresh one; where none can be had, isBroken().
#pragma once

#include <functional>
#include <memory>

#include "collectors/sock_diag/diag_conversation.h"

namespace tcpscope {

class ExactRequester {
public:
  enum class Answer : std::uint8_t {
    there,
    /// The kernel knows no such socket any more.
    gone,
    /// Nothing is known: counted as a refused request.
    none,
  };

  /// Keeps what it needs of `access`.
  static Expected<ExactRequester, NetlinkError> open(const SockDiagAccess& access);

  /// `visit(payload, takenAt)` sees the message of an existing socket.
  template <class Visit>
  Answer ask(const SocketAddress& socket, GapCounts& gaps, Visit&& visit) {
    if (!m_conversation->ask(DiagRequest::exact(socket, m_conversation->nextSequence()))) return giveUp(gaps);
    bool answered = false;
    for (int count = 0; count < kMaxDatagramsPerAnswer; ++count) {
      const DiagConversation::Outcome outcome =
          m_conversation->receive(gaps, [&answered, &visit](std::span<const std::byte> payload, Moment takenAt) {
            answered = true;
            visit(payload, takenAt);
          });
      if (answered) return Answer::there;
      if (outcome == DiagConversation::Outcome::refused) return refused(gaps);
      if (!mayGoOn(outcome)) break;
    }
    return giveUp(gaps);
  }

  /// When the last request was sent.
  [[nodiscard]] Moment askedAt() const { return m_conversation->askedAt(); }
  [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
  static constexpr int kMaxDatagramsPerAnswer = 64;

  ExactRequester(const SockDiagAccess& access, NetlinkChannelPointer channel);
  Answer refused(GapCounts& gaps) const;
  Answer giveUp(GapCounts& gaps);
  [[nodiscard]] bool mayGoOn(DiagConversation::Outcome outcome);

  std::function<Expected<NetlinkChannelPointer, NetlinkError>()> m_open;
  std::function<Moment()> m_now;
  std::unique_ptr<DiagConversation> m_conversation;
  bool m_isBroken = false;
};

}  // namespace tcpscope
