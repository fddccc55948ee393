// The window's path history: records what the session of this host sees and returns the history to the views. Disk and
// settings are read on a background queue of its own.
#pragma once

#include <future>
#include <optional>

#include "app/session/background_queue.h"
#include "app/session/local_place.h"
#include "app/store/path_history/path_history_feed.h"
#include "ui/feed/path_history_port.h"

namespace tcpscope {

class PathKeeper final : public PathHistoryPort {
public:
  /// `feed` as for a PathHistoryFeed; the history is read again so long after it was read last.
  PathKeeper(PathHistoryFeed::Settings feed, Nanoseconds readEvery)
      : m_settings(std::move(feed)), m_readEvery(readEvery), m_feed(m_settings) {}

  /// For the session of the place, which ends before this.
  [[nodiscard]] TakePathSightings sink();

  [[nodiscard]] std::shared_ptr<const PathHistoryState> state() override;
  void forget(const PathPrefix& path) override;
  [[nodiscard]] bool isOf(const Place& place) const override;

private:
  using Reading = std::shared_ptr<const PathHistoryState>;

  void read();
  [[nodiscard]] Reading withFeedsProblem(Reading reading) const;

  PathHistoryFeed::Settings m_settings;
  Nanoseconds m_readEvery;
  PathHistoryFeed m_feed;
  Reading m_state;
  std::future<Reading> m_reading;
  std::optional<Moment> m_readAt;
  // Last: it ends before what its jobs give goes.
  BackgroundQueue m_background;
};

/// Null where no history is kept: the user or the environment says no, or there is no place for it.
std::unique_ptr<PathKeeper> openPathKeeper(bool isWanted);

}  // namespace tcpscope
