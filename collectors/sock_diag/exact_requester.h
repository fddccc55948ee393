// Asks the kernel for single sockets by address and cookie, on a channel of its own, and waits for the answers.
//
// A channel that lost an answer or does not work is replaced by a fresh one; where none can be had, isBroken().
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <memory>
#include <span>
#include <utility>

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

  using Answers = std::array<Answer, DiagRequest::kMostQuestions>;

  /// Keeps what it needs of `access`.
  static Expected<ExactRequester, NetlinkError> open(const SockDiagAccess& access);

  /// `visit(payload, takenAt)` sees the message of an existing socket.
  template <class Visit>
  Answer ask(const SocketAddress& socket, GapCounts& gaps, Visit&& visit) {
    return ask(std::span(&socket, 1), gaps, std::forward<Visit>(visit)).front();
  }
  /// Of at most DiagRequest::kMostQuestions sockets, at least one, in one request; the answers in their order.
  template <class Visit>
  Answers ask(std::span<const SocketAddress> sockets, GapCounts& gaps, Visit&& visit) {
    Answers answers;
    answers.fill(Answer::none);
    std::bitset<DiagRequest::kMostQuestions> open((1ULL << sockets.size()) - 1);
    const auto settle = [&](Answer answer) {
      const std::size_t question = m_conversation->question();
      if (open.test(question)) answers.at(question) = answer;
      open.reset(question);
    };
    bool goesOn = send(sockets);
    for (std::size_t left = sockets.size() * kMaxDatagramsPerAnswer; goesOn && open.any(); --left) {
      const DiagConversation::Outcome outcome =
          m_conversation->receive(gaps, [&](std::span<const std::byte> payload, Moment takenAt) {
            settle(Answer::there);
            visit(payload, takenAt);
          });
      if (outcome == DiagConversation::Outcome::refused) settle(refused(gaps));
      goesOn = open.none() || (left > 1 && mayGoOn(outcome));
    }
    if (!goesOn) giveUp(gaps);
    return answers;
  }

  /// When the last request was sent.
  [[nodiscard]] Moment askedAt() const { return m_conversation->askedAt(); }
  [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
  static constexpr std::size_t kMaxDatagramsPerAnswer = 64;

  ExactRequester(const SockDiagAccess& access, NetlinkChannelPointer channel);
  bool send(std::span<const SocketAddress> sockets);
  Answer refused(GapCounts& gaps) const;
  void giveUp(GapCounts& gaps);
  [[nodiscard]] bool mayGoOn(DiagConversation::Outcome outcome);

  std::function<Expected<NetlinkChannelPointer, NetlinkError>()> m_open;
  std::function<Moment()> m_now;
  std::unique_ptr<DiagConversation> m_conversation;
  bool m_isBroken = false;
};

}  // namespace tcpscope
