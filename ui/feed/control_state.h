// The user's control of the session, and the only way back to it: each setter changes the one value and posts it.
#pragma once

#include <QObject>

#include "core/session/session_port.h"

namespace tcpscope {

class ControlState : public QObject {
  Q_OBJECT
public:
  /// `port` outlives this.
  explicit ControlState(SessionPort& port, QObject* parent = nullptr);

  [[nodiscard]] const SessionControl& value() const { return m_value; }

  void setListInterval(Milliseconds interval);
  void setFocusInterval(Microseconds interval);
  void setFocus(std::optional<ConnectionId> connection);
  void setPinned(ConnectionId connection, bool pinned);
  /// Keeps the detail of these, too, without a pin in the list.
  void setFollowed(std::set<ConnectionId> connections);
  /// The same of those that the scope shows beside the selected one.
  void setFurther(std::set<ConnectionId> connections);
  void setFilter(ConnectionFilter filter);
  void setSort(SortKey key, bool descending);
  /// Rows stay where they are as long as this is so.
  void setKeepsOrder(bool keep);
  void setGrouping(Grouping grouping);
  void setKeepClosed(bool keep);
  void setCapture(std::optional<CaptureRequest> request);
  /// Arms it on all connections once more, whatever its number; absent: none waits.
  void setTrigger(std::optional<TriggerRequest> request);
  /// Of a connection's option that this program changed.
  void addChangeMark(ChangeMark mark);

signals:
  void changed();

private:
  void post();
  void follow(std::set<ConnectionId>& kept, std::set<ConnectionId> connections);

  SessionPort& m_port;
  SessionControl m_value;
  std::set<ConnectionId> m_followed;
  std::set<ConnectionId> m_further;
  std::uint32_t m_triggers = 0;
};

}  // namespace tcpscope
