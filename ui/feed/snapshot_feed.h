// Brings snapshots to the GUI thread at the GUI's own pace: a timer polls the port and announces a new one.
//
// No signal crosses a thread. A snapshot that was replaced before the timer fired is skipped, so that a slow GUI drops
// snapshots instead of queueing them.
#pragma once

#include <QObject>
#include <QTimer>

#include "core/session/session_port.h"

namespace tcpscope {

using SnapshotPointer = std::shared_ptr<const SessionSnapshot>;

class SnapshotFeed : public QObject {
  Q_OBJECT
public:
  /// `port` outlives the feed.
  explicit SnapshotFeed(const SessionPort& port, QObject* parent = nullptr);

  /// How often the port is polled.
  void setRefreshInterval(Milliseconds interval);
  [[nodiscard]] const SnapshotPointer& latest() const { return m_latest; }
  /// Polls the port now.
  void poll();

signals:
  void snapshotChanged(const tcpscope::SnapshotPointer& snapshot);

private:
  const SessionPort& m_port;
  SnapshotPointer m_latest;
  QTimer m_timer;
};

}  // namespace tcpscope
