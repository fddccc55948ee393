#include "core/diagnosis/limit_history.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/evidence/wait_limits.h"
#include "core/diagnosis/wire_verdict.h"

namespace tcpscope {

namespace {

/// Answers for pieces of one transfer.
class PieceJudge {
public:
  explicit PieceJudge(const ConnectionEvidence& evidence)
      : m_evidence(evidence), m_waits(*evidence.waits), m_whole(rtt(evidence)), m_meaning(waitMeaning(evidence)) {}

  [[nodiscard]] LimitShares shares(const WaitStep& piece) const {
    WaitMeaning meaning = m_meaning;
    meaning.pathLimitsRate = meaning.pathLimitsRate || hasQueue(piece);
    return limitsOf(piece.waits, meaning);
  }
  [[nodiscard]] LimitStretch stretch(const WaitStep& piece, const LimitShares& shares) {
    m_waits.waits = piece.waits;
    WireAnswer answer = wireAnswer(shares, m_evidence, m_waits, Nanoseconds::zero());
    return {piece.from,
            piece.to,
            answer.limit,
            std::move(answer.candidates),
            answer.limit == Limit::network && hasQueue(piece),
            shares};
  }

private:
  [[nodiscard]] bool hasQueue(const WaitStep& piece) const {
    if (piece.polls == 0 || !m_whole) return false;
    const Rtt trip{piece.rttUs / piece.polls, m_whole->smallestUs};
    return streamHasQueue(m_evidence, trip, piece.inFlightBytes / piece.polls);
  }

  const ConnectionEvidence& m_evidence;
  WaitEvidence m_waits;
  std::optional<Rtt> m_whole;
  WaitMeaning m_meaning;
};

/// Stretches, each with what it is made of.
class Stretches {
public:
  explicit Stretches(PieceJudge& judge) : m_judge(judge) {}

  void append(const WaitStep& piece, const LimitShares& shares) {
    m_pieces.push_back({piece, m_judge.stretch(piece, shares)});
    if (m_pieces.size() > 1) joinIfAlike(m_pieces.size() - 2);
  }

  void coarsen(Nanoseconds shortest, std::size_t most) {
    while (m_pieces.size() > 1) {
      const auto isShorter = [](const Piece& a, const Piece& b) { return a.stretch.span() < b.stretch.span(); };
      const auto least = std::min_element(m_pieces.begin(), m_pieces.end(), isShorter);
      if (least->stretch.span() >= shortest && m_pieces.size() <= most) return;
      const auto index = static_cast<std::size_t>(least - m_pieces.begin());
      std::size_t joined = join(likerNeighbour(index));
      if (joined > 0 && joinIfAlike(joined - 1)) --joined;
      if (joined + 1 < m_pieces.size()) joinIfAlike(joined);
    }
  }

  [[nodiscard]] std::vector<LimitStretch> release() {
    std::vector<LimitStretch> stretches;
    stretches.reserve(m_pieces.size());
    for (Piece& piece : m_pieces) stretches.push_back(std::move(piece.stretch));
    return stretches;
  }

private:
  struct Piece {
    WaitStep waits;
    LimitStretch stretch;
  };

  /// Joins a piece with the next one, and says where it is.
  std::size_t join(std::size_t index) {
    Piece& piece = m_pieces[index];
    const Piece& next = m_pieces[index + 1];
    piece.waits.join(next.waits);
    LimitShares shares = piece.stretch.shares;
    shares += next.stretch.shares;
    piece.stretch = m_judge.stretch(piece.waits, shares);
    m_pieces.erase(m_pieces.begin() + static_cast<std::ptrdiff_t>(index) + 1);
    return index;
  }
  bool joinIfAlike(std::size_t index) {
    const LimitStretch& one = m_pieces[index].stretch;
    const LimitStretch& next = m_pieces[index + 1].stretch;
    if (one.limit != next.limit || one.pathWasFull != next.pathWasFull) return false;
    join(index);
    return true;
  }
  [[nodiscard]] double distance(std::size_t index) const {
    double sum = 0.0;
    for (const Limit limit : kLimits) {
      sum += std::abs(m_pieces[index].stretch.shares.ratio(limit) - m_pieces[index + 1].stretch.shares.ratio(limit));
    }
    return sum;
  }
  /// Which to join with the one after it, so that this one finds the neighbour that it resembles.
  [[nodiscard]] std::size_t likerNeighbour(std::size_t index) const {
    if (index == 0) return 0;
    if (index + 1 == m_pieces.size()) return index - 1;
    return distance(index - 1) <= distance(index) ? index - 1 : index;
  }

  PieceJudge& m_judge;
  std::vector<Piece> m_pieces;
};

}  // namespace

LimitHistory limitHistory(const ConnectionEvidence& evidence, const std::vector<WaitStep>& steps) {
  constexpr int kShortestShare = 32;
  LimitHistory history;
  if (steps.empty()) return history;
  PieceJudge judge(evidence);
  Stretches stretches(judge);
  history.steps.reserve(steps.size());
  for (const WaitStep& step : steps) {
    history.steps.push_back({step.from, step.to, judge.shares(step)});
    stretches.append(step, history.steps.back().shares);
  }
  stretches.coarsen((steps.back().to - steps.front().from) / kShortestShare, kMostStretches);
  history.stretches = stretches.release();
  return history;
}

}  // namespace tcpscope
