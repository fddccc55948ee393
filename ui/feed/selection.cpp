#include "ui/feed/selection.h"

#include <algorithm>

#include "core/session/session_snapshot.h"

namespace tcpscope {

void Selection::setConnection(std::optional<ConnectionId> connection) {
  if (connection == m_connection) return;
  m_connection = connection;
  setSpan(std::nullopt);
  emit connectionChanged();
}

void Selection::setSpan(std::optional<TimeSpan> span) {
  if (span == m_span) return;
  m_span = span;
  emit spanChanged();
}

bool Selection::isFurther(ConnectionId connection) const {
  return std::find(m_further.begin(), m_further.end(), connection) != m_further.end();
}

void Selection::setFurther(ConnectionId connection, bool isShown) {
  if (isShown == isFurther(connection) || (isShown && m_further.size() >= kMostFurther)) return;
  if (isShown) {
    m_further.push_back(connection);
  } else {
    std::erase(m_further, connection);
  }
  emit furtherChanged();
}

void Selection::dropUnknown(const SessionSnapshot& snapshot) {
  // One that was just added has no detail yet; only then are the rows searched.
  const auto isUnknown = [&snapshot](ConnectionId id) {
    return !snapshot.details.contains(id) && snapshot.find(id) == nullptr;
  };
  if (std::erase_if(m_further, isUnknown) > 0) emit furtherChanged();
}

void Selection::clearFurther() {
  if (m_further.empty()) return;
  m_further.clear();
  emit furtherChanged();
}

}  // namespace tcpscope
