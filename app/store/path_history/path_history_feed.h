// Brings what a running session sees of paths into the history, without ever being waited for: sightings are gathered
// as they come and written on a background queue at a low rate, and when the session ends.
//
// What cannot be written is kept for the next time, within a bound; what cannot be mended by waiting ends the feed. The
// command or the window goes on in any case.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "app/session/background_queue.h"
#include "app/store/path_history/path_history_store.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Does the environment say that no history shall be kept?
bool isPathHistoryOff();

class PathHistoryFeed {
public:
  struct Settings {
    std::filesystem::path folder;
    /// Connections of this place alone are of this host's paths.
    Place place;
    std::function<Moment()> now;
    Nanoseconds writeEvery = std::chrono::seconds(30);
  };

  explicit PathHistoryFeed(Settings settings) : m_settings(std::move(settings)) {}
  /// Writes what is left, as finish() does.
  ~PathHistoryFeed() { finish(); }
  PathHistoryFeed(const PathHistoryFeed&) = delete;
  PathHistoryFeed& operator=(const PathHistoryFeed&) = delete;

  /// From any one thread; returns at once.
  void take(const std::vector<PathSighting>& sightings);
  /// Writes what is left, and waits for it: a second where another program keeps the history, else as long as the disk
  /// takes.
  void finish();

  /// Why the last writing failed; nothing where it did not.
  [[nodiscard]] std::optional<PathHistoryError> problem() const;
  /// Where a damaged history was put.
  [[nodiscard]] std::optional<std::filesystem::path> putAside() const;
  /// Grows with each writing that succeeded.
  [[nodiscard]] std::uint64_t writings() const;

private:
  struct Pending {
    std::map<ConnectionId, PathSighting> sightings;
    std::map<PathPrefix, PathRates> rates;
    [[nodiscard]] bool empty() const { return sightings.empty() && rates.empty(); }
    /// An entry that exists already is newer.
    void addOlder(Pending&& older);
    void add(const PathSighting& sighting);
    void add(const PathRates& rates);
  };

  /// With the mutex held.
  void startWriting();
  void write();
  Expected<void, PathHistoryError> writeToStore(const Pending& pending);

  Settings m_settings;
  /// Of the background queue's thread.
  std::optional<PathHistoryStore> m_store;

  mutable std::mutex m_mutex;
  std::condition_variable m_written;
  Pending m_pending;
  bool m_isWriting = false;
  /// Waiting mends nothing.
  bool m_isOver = false;
  std::optional<Moment> m_writtenAt;
  std::optional<PathHistoryError> m_problem;
  std::optional<std::filesystem::path> m_putAside;
  std::uint64_t m_writings = 0;
  // Last, and made with the first writing: it stops and joins before what it works on goes.
  std::unique_ptr<BackgroundQueue> m_background;
};

}  // namespace tcpscope
