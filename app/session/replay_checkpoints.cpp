#include "app/session/replay_checkpoints.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// The batch ahead, and what was read of frames: a chunk at most, except in recordings crafted to be large.
std::size_t bytesOf(const CursorPosition& position) {
  constexpr std::size_t kFrames = 64U << 10;
  const auto batch = [&position] { return position.ahead->changed.size() * sizeof(SocketObservation); };
  return sizeof position + kFrames + (position.ahead ? batch() : 0);
}

}  // namespace

std::size_t ReplayCheckpoints::spacing() const {
  const std::lock_guard lock(m_mutex);
  return m_spacing;
}

void ReplayCheckpoints::add(std::shared_ptr<const ReplayCheckpoint> checkpoint) {
  std::size_t ownBytes = checkpoint->session->copyBytes().own;
  for (const CursorPosition& cursor : checkpoint->cursors) ownBytes += bytesOf(cursor);
  const std::lock_guard lock(m_mutex);
  m_entries.push_back({std::move(checkpoint), ownBytes});
  m_ownBytes += ownBytes;
  while (m_entries.size() > 1 && (m_entries.size() > kMost || m_ownBytes > m_limits.ownBytes)) thinOut();
}

/// The second, the fourth and so on: those that stay are twice as far apart.
void ReplayCheckpoints::thinOut() {
  std::vector<Entry> kept;
  m_ownBytes = 0;
  for (std::size_t entry = 0; entry < m_entries.size(); entry += 2) {
    m_ownBytes += m_entries[entry].ownBytes;
    kept.push_back(std::move(m_entries[entry]));
  }
  m_entries = std::move(kept);
  m_spacing *= 2;
}

std::shared_ptr<const ReplayCheckpoint> ReplayCheckpoints::latest(Moment moment) const {
  const std::lock_guard lock(m_mutex);
  const auto later =
      std::upper_bound(m_entries.begin(), m_entries.end(), moment,
                       [](Moment wanted, const Entry& entry) { return wanted < entry.checkpoint->upTo; });
  return later == m_entries.begin() ? nullptr : std::prev(later)->checkpoint;
}

std::size_t ReplayCheckpoints::size() const {
  const std::lock_guard lock(m_mutex);
  return m_entries.size();
}

}  // namespace tcpscope
