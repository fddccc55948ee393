// Owners and locked buffers for the agent's sockets, looked up between dumps by the same thread that samples: never
// more than a hundredth of the time, so that samples are not missed for names and the host does not feel it.
#pragma once

#include "app/session/owner_questions.h"

namespace tcpscope {

class BoundedAnswers {
public:
  BoundedAnswers(ProcessAnswers answers, std::function<Moment()> now)
      : m_answers(std::move(answers)), m_now(std::move(now)) {}

  /// What a batch shows of sockets that came or went and have not been asked about yet.
  void note(const ObservationBatch& batch);
  /// The place is gone, with all its sockets.
  void forget(PlaceId place);
  /// What the processes say now; empty where it is too early to ask again or nothing is asked.
  ObservationBatch answer();

private:
  /// Of questions about a socket.
  struct Round {
    Moment askedAt;
    /// The socket has, since then.
    bool hasChanged = true;
  };
  struct Known {
    std::uint32_t inode = 0;
    std::int32_t pid = 0;
    Round locks;
    Round waits;
  };

  /// About the sockets whose last question is longest ago: each gets its turn, however many change.
  template <class Ask>
  void askLongestAgo(Round Known::*round, Nanoseconds age, Moment now, Ask ask);
  void remember(const ObservationBatch& answers);

  ProcessAnswers m_answers;
  std::function<Moment()> m_now;
  OwnerQuestions m_questions;
  std::unordered_map<ConnectionId, Known> m_known;
  Moment m_notBefore;
};

}  // namespace tcpscope
