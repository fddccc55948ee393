#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

SnapshotFeed::SnapshotFeed(const SessionPort& port, Milliseconds pace, QObject* parent)
    : QObject(parent), m_port(port) {
  connect(&m_timer, &QTimer::timeout, this, &SnapshotFeed::poll);
  m_timer.start(pace);
}

void SnapshotFeed::poll() {
  auto newest = m_port.latest();
  if (newest == nullptr || newest == m_latest) return;
  m_latest = std::move(newest);
  emit snapshotChanged(m_latest);
}

}  // namespace tcpscope
