#include "ui/feed/selection.h"

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

}  // namespace tcpscope
