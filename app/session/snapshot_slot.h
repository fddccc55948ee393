// Holds the newest snapshot. The analysis stores, a view takes; neither waits for longer than copying a pointer.
//
// A mutex and not std::atomic<std::shared_ptr>: g++ 12's unlocks with a relaxed store, which ThreadSanitizer reports.
#pragma once

#include <memory>
#include <mutex>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class SnapshotSlot {
public:
  void store(std::shared_ptr<const SessionSnapshot> snapshot) {
    {
      const std::lock_guard lock(m_mutex);
      m_snapshot.swap(snapshot);
    }
    // The older one, now in `snapshot`, is freed here and not under the lock.
  }

  /// Null before the first.
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> load() const {
    const std::lock_guard lock(m_mutex);
    return m_snapshot;
  }

private:
  mutable std::mutex m_mutex;
  std::shared_ptr<const SessionSnapshot> m_snapshot;
};

}  // namespace tcpscope
