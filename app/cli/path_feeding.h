// Writes what a command observes of this machine's connections to the path history. It never fails or delays the
// command: a write error is one line on standard error, after all other output.
#pragma once

#include <memory>

#include "app/cli/connection_watch.h"
#include "app/session/local_place.h"
#include "app/store/path_history/path_history_feed.h"

namespace tcpscope {

/// Neither an option nor the environment says no, and it is this machine's own network that is looked at.
bool keepsPathHistory(const CommandOptions& options);

class PathFeeding {
public:
  /// `place` is the one that is looked at.
  PathFeeding(const CommandOptions& options, const Place& place);
  /// Writes what is left, and says what went wrong.
  ~PathFeeding();
  PathFeeding(const PathFeeding&) = delete;
  PathFeeding& operator=(const PathFeeding&) = delete;

  /// For a live session, which ends before this; null where nothing is kept.
  [[nodiscard]] TakePathSightings sink();
  void take(const std::vector<PathSighting>& sightings);

private:
  /// Null where nothing is kept.
  std::unique_ptr<PathHistoryFeed> m_feed;
};

/// After a finished observation.
void feedPathHistory(const CommandOptions& options, const ConnectionWatch& watch);

}  // namespace tcpscope
