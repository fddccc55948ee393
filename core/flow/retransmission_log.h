// The retransmissions of one direction: a list with a limit, counts without one, and the last few at hand for what is
// learned afterwards (that they were not needed, that more of the same recovery followed).
#pragma once

#include <vector>

#include "core/flow/retransmission.h"
#include "core/flow/sending_order.h"

namespace tcpscope {

class RetransmissionLog {
public:
  /// 10,000 take about half a megabyte.
  static constexpr std::size_t kMaxListed = 10'000;
  /// How far back afterthoughts reach.
  static constexpr std::size_t kMaxRecent = 256;

  /// `afterHole`: of the segment that showed the hole which it fills, if it fills one.
  void add(const Retransmission& retransmission, const SendingOrder& order, const SendingOrder& afterHole);
  /// A segment of `range` that was sent before what showed it to be missing: the first one, behind its repair. Marks
  /// the other, which had seemed to repair a loss before the capture point, and gives what it was; nothing where the
  /// segment is no such.
  std::optional<Retransmission> takeLateOriginal(const SequenceRange& range, const SendingOrder& order);
  /// What the last call of that, or one of the following two, has found not to have been needed.
  [[nodiscard]] const std::vector<Retransmission>& foundSpurious() const { return m_spurious; }
  /// The receiver has said that it got `range` twice (RFC 2883): of each piece of it the newest retransmission that it
  /// has not said that of yet was not needed. Gives those of which it was not known, until this is called again; null
  /// where there is none.
  const std::vector<Retransmission>* markSpurious(const SequenceRange& range);
  /// The newest that shares bytes with `range` was not needed if the acknowledgment's echo is older than its own
  /// timestamp (RFC 3522). Gives the same.
  const std::vector<Retransmission>* markSpuriousByEcho(const SequenceRange& range, std::uint32_t echo);
  /// The newest turns out to have had another cause.
  void changeNewestTrigger(RetransmissionCause trigger);
  /// All of the last few that had one.
  void changeTriggers(RetransmissionCause from, RetransmissionCause to);

  [[nodiscard]] const std::vector<Retransmission>& listed() const { return m_listed; }
  /// Null before the first.
  [[nodiscard]] const Retransmission* newest() const;
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }
  [[nodiscard]] const RetransmissionCounts& counts() const { return m_counts; }

private:
  struct Recent {
    Retransmission retransmission;
    SendingOrder order;
    SendingOrder afterHole;
    std::uint32_t listedAt = 0;
    /// The receiver has said that it got this twice.
    bool isReported = false;
  };
  /// The one that was added `back` before the next, from 1.
  [[nodiscard]] Recent& fromNewest(std::size_t back) {
    return m_recent[(m_nextRecent + kMaxRecent - back) % kMaxRecent];
  }
  template <class Change>
  void change(Recent& recent, Change change);
  void noteSpurious(Recent& recent);

  std::vector<Retransmission> m_listed;
  /// A ring once it is full.
  std::vector<Recent> m_recent;
  std::size_t m_nextRecent = 0;
  /// What the last call has found.
  std::vector<Retransmission> m_spurious;
  std::uint64_t m_leftOut = 0;
  RetransmissionCounts m_counts;
};

}  // namespace tcpscope
