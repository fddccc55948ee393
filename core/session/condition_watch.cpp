#include "core/session/condition_watch.h"

#include <utility>

namespace tcpscope {

bool ConditionWatch::arm(const std::optional<TriggerRequest>& request) {
  const bool isAnother = request && (!m_request || request->number != m_request->number);
  if (request && !isAnother) return false;
  m_request = request;
  m_seen.clear();
  m_begun.clear();
  m_count = 0;
  m_isFirstRound = isAnother;
  return isAnother;
}

void ConditionWatch::see(std::uint32_t slot, ConnectionId connection, bool matches, Moment now) {
  if (slot >= m_seen.size()) m_seen.resize(slot + 1);
  Seen& seen = m_seen[slot];
  if (seen.connection != connection) seen = {connection};
  const bool matchedBefore = std::exchange(seen.matches, matches);
  const bool begins = matches && !matchedBefore;
  if (!begins || (m_isFirstRound && !m_request->countsPresent)) return;
  if (seen.triggeredAt && now - *seen.triggeredAt < m_request->holdOff) return;
  seen.triggeredAt = now;
  m_begun.push_back({m_request->number, ++m_count, slot, connection, now});
}

void ConditionWatch::clear(std::uint32_t slot) {
  if (slot < m_seen.size()) m_seen[slot] = {};
}

std::vector<TriggeredConnection> ConditionWatch::takeBegun() {
  m_isFirstRound = false;
  std::vector<TriggeredConnection> begun = m_begun;
  if (m_begun.size() > kMostTriggered) m_begun.erase(m_begun.begin(), m_begun.end() - kMostTriggered);
  return begun;
}

}  // namespace tcpscope
