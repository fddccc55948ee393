// What all views look at together: one connection, further ones that views over time show beside it, and the span of
// time between the cursors.
//
// One value, changed in one place: a view that selects something calls a setter, and every view, itself included,
// hears of it by the signal.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/model/connection_id.h"

namespace tcpscope {

struct SessionSnapshot;

struct TimeSpan {
  Moment from;
  Moment to;
  bool operator==(const TimeSpan&) const = default;
};

/// Beside the selected connection.
inline constexpr std::size_t kMostFurther = 7;

class Selection : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  [[nodiscard]] const std::optional<ConnectionId>& connection() const { return m_connection; }
  /// Between cursors A and B; absent while the cursors are off.
  [[nodiscard]] const std::optional<TimeSpan>& span() const { return m_span; }

  /// In the order in which they were added. The selected one may be among them: it stays when another is selected.
  [[nodiscard]] const std::vector<ConnectionId>& further() const { return m_further; }
  [[nodiscard]] bool isFurther(ConnectionId connection) const;

  /// Selecting another connection takes the span away: it belonged to the old one.
  void setConnection(std::optional<ConnectionId> connection);
  void setSpan(std::optional<TimeSpan> span);
  /// More than kMostFurther are not added.
  void setFurther(ConnectionId connection, bool isShown);
  void clearFurther();
  /// Frees the places of those that this snapshot does not have.
  void dropUnknown(const SessionSnapshot& snapshot);

signals:
  void connectionChanged();
  void spanChanged();
  void furtherChanged();

private:
  std::optional<ConnectionId> m_connection;
  std::optional<TimeSpan> m_span;
  std::vector<ConnectionId> m_further;
};

}  // namespace tcpscope
