// Which connections begin to satisfy a condition, from one snapshot to the next: a trigger for many connections at
// once.
#pragma once

#include <map>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class ConditionWatch {
public:
  /// A connection is named again after `holdOff` at the earliest, and after it has not satisfied the condition
  /// meanwhile.
  explicit ConditionWatch(Nanoseconds holdOff) : m_holdOff(holdOff) {}

  /// Those that the snapshot's filter, which is the condition, lets pass now and did not before, in the snapshot's
  /// order. Of the first snapshot all.
  std::vector<ConnectionRow> begun(const SessionSnapshot& snapshot);

private:
  struct Known {
    Moment namedAt;
    std::uint64_t lastSeenIn = 0;
  };

  Nanoseconds m_holdOff;
  std::map<ConnectionId, Known> m_known;
  std::uint64_t m_round = 0;
};

}  // namespace tcpscope
