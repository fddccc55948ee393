#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

namespace {

/// 25 frames per second are smooth and leave the GUI thread mostly idle.
constexpr Milliseconds kRefreshInterval{40};

}  // namespace

SnapshotFeed::SnapshotFeed(const SessionPort& port, QObject* parent) : QObject(parent), m_port(port) {
  connect(&m_timer, &QTimer::timeout, this, &SnapshotFeed::poll);
  m_timer.start(kRefreshInterval);
}

void SnapshotFeed::setRefreshInterval(Milliseconds interval) {
  m_timer.start(interval);
}

void SnapshotFeed::poll() {
  SnapshotPointer newest = m_port.latest();
  if (newest == nullptr || newest == m_latest) return;
  m_latest = std::move(newest);
  emit snapshotChanged(m_latest);
}

}  // namespace tcpscope
