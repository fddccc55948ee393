#include "core/session/condition_watch.h"

namespace tcpscope {

std::vector<ConnectionRow> ConditionWatch::begun(const SessionSnapshot& snapshot) {
  ++m_round;
  std::vector<ConnectionRow> rows;
  for (const std::uint32_t slot : *snapshot.order) {
    const auto [known, isNew] = m_known.try_emplace(snapshot.id(slot), Known{snapshot.time, m_round});
    const bool heldOn = known->second.lastSeenIn + 1 == m_round;
    known->second.lastSeenIn = m_round;
    if (!isNew && (heldOn || snapshot.time - known->second.namedAt < m_holdOff)) continue;
    known->second.namedAt = snapshot.time;
    rows.push_back(snapshot.row(slot));
  }
  std::erase_if(m_known, [&](const auto& one) {
    return one.second.lastSeenIn < m_round && snapshot.time - one.second.namedAt >= m_holdOff;
  });
  return rows;
}

}  // namespace tcpscope
