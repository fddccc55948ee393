// What the commands that look at this machine's connections put into the path book. It never fails or delays them:
// what cannot be written is told in one line on standard error, behind all else.
#pragma once

#include <memory>

#include "app/cli/connection_look.h"
#include "app/session/local_place.h"
#include "app/store/path_book/path_book_feed.h"

namespace tcpscope {

/// Neither an option nor the environment says no, and it is this machine's own network that is looked at.
bool keepsPathBook(const CommandOptions& options);

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
  std::unique_ptr<PathBookFeed> m_feed;
};

/// Of a look that is over.
void feedPathBook(const CommandOptions& options, const ConnectionLook& look);

}  // namespace tcpscope
