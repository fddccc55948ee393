// When the dumps of each place ended: from that follows up to when a connection was seen, although a dump hands on only
// what changed.
#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/moment.h"
#include "core/model/connection_id.h"

namespace tcpscope {

class DumpTimes {
public:
  void dumpEnded(PlaceId place, Moment at) {
    Ends& ends = m_ends[place];
    ends.previous = ends.last;
    ends.last = at;
  }

  void forget(PlaceId place) { m_ends.erase(place); }

  /// Up to when an open connection was seen: its last sample, or a later dump that found it unchanged.
  [[nodiscard]] Moment seenUntil(PlaceId place, Moment lastSample) const {
    const auto ends = m_ends.find(place);
    if (ends == m_ends.end()) return lastSample;
    // A sample that is younger than the last dump but one is of the last dump: that one saw a change.
    const bool sampledInLastDump = !ends->second.previous || lastSample > *ends->second.previous;
    return sampledInLastDump ? lastSample : std::max(*ends->second.last, lastSample);
  }

private:
  struct Ends {
    std::optional<Moment> previous;
    std::optional<Moment> last;
  };
  std::map<PlaceId, Ends> m_ends;
};

}  // namespace tcpscope
