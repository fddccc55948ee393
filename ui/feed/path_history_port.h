// The door to the path history, for views that poll it. All calls return at once and come from the
// GUI thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/advice/path_entry.h"
#include "core/host/sysctl_values.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct PathHistoryState {
  /// Last seen first.
  std::vector<PathEntry> entries;
  /// Of this host, for what its buffers allow.
  SysctlValues settings;
  /// Why there is no history, or why it could not be read or written; empty where all is well.
  std::string problem;

  /// Null where the path is not in it.
  [[nodiscard]] const PathEntry* find(const PathPrefix& path) const {
    for (const PathEntry& entry : entries) {
      if (entry.path == path) return &entry;
    }
    return nullptr;
  }
};

class PathHistoryPort {
public:
  PathHistoryPort() = default;
  PathHistoryPort(const PathHistoryPort&) = delete;
  PathHistoryPort& operator=(const PathHistoryPort&) = delete;
  virtual ~PathHistoryPort() = default;

  /// What was read last, another one where it was read since; null before the first time. Has it read again now and
  /// then for as long as it is asked for.
  [[nodiscard]] virtual std::shared_ptr<const PathHistoryState> state() = 0;
  virtual void forget(const PathPrefix& path) = 0;
  /// Do connections that are seen there take the paths of this history?
  [[nodiscard]] virtual bool isOf(const Place& place) const = 0;
};

/// Of a connection; nothing where it takes none of the history's paths.
inline std::optional<PathPrefix> bookedPath(const PathHistoryPort& port, const SessionSnapshot& snapshot,
                                            const ConnectionFacts& connection) {
  for (const Place& place : snapshot.places) {
    if (place.id == connection.id.place && place.recording.empty() && port.isOf(place)) {
      return pathOf(connection.local.address, connection.remote.address);
    }
  }
  return std::nullopt;
}

}  // namespace tcpscope
