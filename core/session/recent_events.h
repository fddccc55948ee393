// The newest events that sources reported, of all connections: a connection may be opened before its first sample is
// taken, and be watched later still. Bounded: the oldest event makes room for the newest.
#pragma once

#include <deque>
#include <vector>

#include "core/model/source_event.h"
#include "core/session/four_tuple.h"

namespace tcpscope {

class RecentEvents {
public:
  void add(const FourTuple& addresses, const HistoryEvent& event) {
    if (m_events.size() >= kMaxEvents) m_events.pop_front();
    m_events.push_back({addresses, event});
  }

  /// In order of arrival. An earlier connection may have had the same addresses: its events, which came before this one
  /// was opened, are left out.
  [[nodiscard]] std::vector<HistoryEvent> of(const FourTuple& addresses) const {
    std::vector<HistoryEvent> found;
    for (const Entry& entry : m_events) {
      if (!(entry.addresses == addresses)) continue;
      if (entry.event.kind == HistoryEventKind::opened) found.clear();
      found.push_back(entry.event);
    }
    return found;
  }

private:
  static constexpr std::size_t kMaxEvents = 1024;
  struct Entry {
    FourTuple addresses;
    HistoryEvent event;
  };
  std::deque<Entry> m_events;
};

}  // namespace tcpscope
