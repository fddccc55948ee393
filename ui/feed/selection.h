// What the user has selected: one value that all views share.
#pragma once

#include <QObject>
#include <optional>
#include <utility>

#include "core/base/moment.h"
#include "core/connection/connection_id.h"

namespace tcpscope {

class Selection : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  [[nodiscard]] const std::optional<ConnectionId>& connection() const { return m_connection; }
  /// Span between the scope's cursors, in order of time; nothing when they are off.
  [[nodiscard]] const std::optional<std::pair<Moment, Moment>>& span() const { return m_span; }

  /// Another connection ends the span.
  void setConnection(const std::optional<ConnectionId>& connection);
  void setSpan(const std::optional<std::pair<Moment, Moment>>& span);

signals:
  void connectionChanged();
  void spanChanged();

private:
  std::optional<ConnectionId> m_connection;
  std::optional<std::pair<Moment, Moment>> m_span;
};

}  // namespace tcpscope
