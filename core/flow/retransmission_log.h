// The retransmissions of one direction: a list with a limit, counts without one, and the last few at hand for what is
// learned afterwards (that they were not needed, that more of the same recovery followed).
#pragma once

#include <vector>

#include "core/flow/retransmission.h"

namespace tcpscope {

class RetransmissionLog {
public:
  /// 10,000 take about half a megabyte.
  static constexpr std::size_t kMaxListed = 10'000;
  /// How far back afterthoughts reach.
  static constexpr std::size_t kMaxRecent = 256;

  void add(const Retransmission& retransmission, std::uint32_t timestamp);
  /// The newest that shares bytes with `range` was not needed; false where none is known.
  bool markSpurious(const SequenceRange& range);
  /// The same, if the acknowledgment's echo is older than the retransmission's own timestamp (RFC 3522).
  bool markSpuriousByEcho(const SequenceRange& range, std::uint32_t echo);
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
    std::uint32_t timestamp = 0;
    std::uint32_t listedAt = 0;
  };
  [[nodiscard]] Recent* newestIn(const SequenceRange& range);
  template <class Change>
  void change(Recent& recent, Change change);
  void markSpurious(Recent& recent);

  std::vector<Retransmission> m_listed;
  /// A ring once it is full.
  std::vector<Recent> m_recent;
  std::size_t m_nextRecent = 0;
  std::uint64_t m_leftOut = 0;
  RetransmissionCounts m_counts;
};

}  // namespace tcpscope
