#include "core/session/table_use.h"

namespace tcpscope {

namespace {

/// Of an idle connection without its last sample, with its places in the indexes and in the order of rows.
constexpr std::size_t kIdleBytes = sizeof(TrackedConnection) + sizeof(ConnectionRow) + 32;
/// Two snapshots share the rows that did not change. A host that joins may say that all did.
constexpr std::size_t kRowsInSnapshotsBytes = 2 * sizeof(ConnectionRow);

}  // namespace

std::size_t TableUse::Count::bytes() const {
  return connections * kIdleBytes + sampleBytes + activities * kMostActivityBytes;
}

bool TableUse::hasSpaceFor(std::size_t bytes, bool isJoined) const {
  const std::size_t joinedBytes = m_ofJoined.bytes() + m_ofJoined.connections * kRowsInSnapshotsBytes;
  if (isJoined && joinedBytes + bytes > m_budget.joinedConnectionBytes) return false;
  return m_all.bytes() + bytes <= m_budget.connectionBytes;
}

bool TableUse::hasSpaceForConnection(const SocketObservation& first, bool isJoined) const {
  if (m_all.connections >= m_budget.sockets) return false;
  if (!hasSpaceFor(kIdleBytes + PackedObservation::bytesFor(first), isJoined)) return false;
  return !isJoined || m_ofJoined.connections < m_budget.joinedSockets;
}

bool TableUse::hasSpaceForSample(const SocketObservation& sample, const TrackedConnection& tracked) const {
  if (!tracked.isJoined) return true;
  const std::size_t before = tracked.last.bytes();
  const std::size_t now = PackedObservation::bytesFor(sample);
  return now <= before || hasSpaceFor(now - before, true);
}

void TableUse::addConnection(const TrackedConnection& tracked) {
  countEach(tracked.isJoined, [&tracked](Count& count) {
    ++count.connections;
    count.sampleBytes += tracked.last.bytes();
  });
}

void TableUse::removeConnection(const TrackedConnection& tracked) {
  countEach(tracked.isJoined, [&tracked](Count& count) {
    --count.connections;
    count.sampleBytes -= tracked.last.bytes();
    if (tracked.activity) --count.activities;
  });
}

void TableUse::replaceSample(const TrackedConnection& tracked, std::size_t before) {
  countEach(tracked.isJoined, [&](Count& count) { count.sampleBytes += tracked.last.bytes() - before; });
}

void TableUse::addActivity(bool isJoined) {
  countEach(isJoined, [](Count& count) { ++count.activities; });
}

void TableUse::removeActivity(bool isJoined) {
  countEach(isJoined, [](Count& count) { --count.activities; });
}

}  // namespace tcpscope
