// The retransmissions of one direction: a list with a limit, counts without one, and the last few at hand for what is
// learned afterwards (that they were not needed, that more of the same recovery followed).
#pragma once

#include <vector>

#include "core/wire/flow/retransmission.h"
#include "core/wire/flow/sending_order.h"
#include "core/wire/flow/sequence_ranges.h"

namespace tcpscope {

class RetransmissionLog {
public:
  /// 10,000 take about half a megabyte.
  static constexpr std::size_t kMaxListed = 10'000;
  /// How far back afterthoughts reach.
  static constexpr std::size_t kMaxRecent = 256;

  /// `afterHole`: of the segment that showed the hole which it fills, if it fills one.
  void add(const Retransmission& retransmission, const SendingOrder& order, const SendingOrder& afterHole);
  /// What the following calls have found not to have been needed since the last call of this.
  [[nodiscard]] const std::vector<Retransmission>& foundSpurious() const { return m_spurious; }
  void forgetFound() { m_spurious.clear(); }
  /// A segment of `range` that was sent before what showed it to be missing: the first one, behind its repair. Marks
  /// the other, which had seemed to repair a loss before the capture point, and gives what it was; nothing where the
  /// segment is no such.
  std::optional<Retransmission> takeLateOriginal(SequenceRange range, const SendingOrder& order);
  /// The receiver has said that it got `range` twice (RFC 2883): of each piece of it the newest retransmission that it
  /// has not said that of yet was not needed.
  void markReported(SequenceRange range);
  /// The receiver has all of `held`, of which it had `before` already: what of the rest was retransmitted after
  /// `since` cannot have arrived yet.
  void markOvertaken(const SequenceRange& held, const SequenceRanges& before, WallTime since);
  /// The newest that shares bytes with `range` was not needed if the acknowledgment's echo is older than its own
  /// timestamp (RFC 3522). Was it needed as far as was known?
  bool markByEcho(SequenceRange range, std::uint32_t echo);
  /// The newest turns out to have had another cause.
  void changeNewestTrigger(RetransmissionCause trigger);
  /// All of the last few that had one.
  void changeTriggers(RetransmissionCause from, RetransmissionCause to);

  [[nodiscard]] const std::vector<Retransmission>& listed() const { return m_listed; }
  /// Null before the first.
  [[nodiscard]] const Retransmission* newest() const;
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }
  [[nodiscard]] const RetransmissionCounts& counts() const { return m_counts; }
  /// Memory outside of the object itself.
  [[nodiscard]] std::size_t residentBytes() const {
    return (m_listed.capacity() + m_spurious.capacity()) * sizeof(Retransmission) +
           m_recent.capacity() * sizeof(Recent);
  }

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
  bool noteSpurious(Recent& recent);

  std::vector<Retransmission> m_listed;
  /// A ring once it is full.
  std::vector<Recent> m_recent;
  std::size_t m_nextRecent = 0;
  std::vector<Retransmission> m_spurious;
  std::uint64_t m_leftOut = 0;
  RetransmissionCounts m_counts;
};

}  // namespace tcpscope
