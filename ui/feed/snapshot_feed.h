// Takes the newest snapshot from the session at the GUI's own pace and hands it to whoever shows it.
//
// A timer of the GUI thread polls the port; a snapshot that was already handed out is not handed out again, so that an
// idle machine costs nothing.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>

#include "core/session/session_port.h"

namespace tcpscope {

class SnapshotFeed : public QObject {
  Q_OBJECT
public:
  SnapshotFeed(const SessionPort& port, Milliseconds pace, QObject* parent = nullptr);

  /// Null before the first.
  [[nodiscard]] const std::shared_ptr<const SessionSnapshot>& latest() const { return m_latest; }
  /// Takes the newest one now, as the timer does.
  void poll();

signals:
  void snapshotChanged(const std::shared_ptr<const tcpscope::SessionSnapshot>& snapshot);

private:
  const SessionPort& m_port;
  std::shared_ptr<const SessionSnapshot> m_latest;
  QTimer m_timer;
};

}  // namespace tcpscope
