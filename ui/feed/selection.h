// What all views look at together: one connection, and the span of time between the cursors.
//
// One value, changed in one place: a view that selects something calls a setter, and every view, itself included,
// hears of it by the signal.
#pragma once

#include <QObject>
#include <optional>

#include "core/base/moment.h"
#include "core/model/connection_id.h"

namespace tcpscope {

struct TimeSpan {
  Moment from;
  Moment to;
  bool operator==(const TimeSpan&) const = default;
};

class Selection : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  [[nodiscard]] const std::optional<ConnectionId>& connection() const { return m_connection; }
  /// Between cursors A and B; absent while the cursors are off.
  [[nodiscard]] const std::optional<TimeSpan>& span() const { return m_span; }

  /// Selecting another connection takes the span away: it belonged to the old one.
  void setConnection(std::optional<ConnectionId> connection);
  void setSpan(std::optional<TimeSpan> span);

signals:
  void connectionChanged();
  void spanChanged();

private:
  std::optional<ConnectionId> m_connection;
  std::optional<TimeSpan> m_span;
};

}  // namespace tcpscope
