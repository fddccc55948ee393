#include "app/desktop/path_keeper.h"

#include "app/desktop/background_work.h"
#include "collectors/host/place_reader.h"
#include "collectors/host/sysctl_facts.h"
#include "collectors/system/monotonic_clock.h"
#include "core/present/text/path_history_text.h"

namespace tcpscope {

namespace {

/// While the view is visible, new figures appear soon.
constexpr Nanoseconds kWriteEvery = std::chrono::seconds(5);
constexpr Nanoseconds kReadEvery = std::chrono::seconds(2);

PathHistoryState readHistory(const std::filesystem::path& folder) {
  PathHistoryState state;
  state.settings = sysctlValues(readSysctlFacts());
  const auto store = PathHistoryStore::openToRead(folder);
  if (!store) {
    state.problem = sentence(store.error());
  } else if (*store) {
    auto entries = (*store)->entries();
    if (entries) {
      state.entries = std::move(*entries);
    } else {
      state.problem = sentence(entries.error());
    }
  }
  return state;
}

}  // namespace

TakePathSightings PathKeeper::sink() {
  return [this](const std::vector<PathSighting>& sightings) { m_feed.take(sightings); };
}

std::shared_ptr<const PathHistoryState> PathKeeper::state() {
  if (isThere(m_reading)) m_state = withFeedsProblem(m_reading.get());
  const Moment now = m_settings.now();
  if (!m_reading.valid() && (!m_readAt || now - *m_readAt >= m_readEvery)) {
    m_readAt = now;
    read();
  }
  return m_state;
}

void PathKeeper::read() {
  m_reading = postTo(m_background, [folder = m_settings.folder](const std::stop_token&) {
    return Reading(std::make_shared<PathHistoryState>(readHistory(folder)));
  });
}

/// What the feed could not write is not in what was read.
PathKeeper::Reading PathKeeper::withFeedsProblem(Reading reading) const {
  const auto problem = m_feed.problem();
  const auto aside = m_feed.putAside();
  if (!reading->problem.empty() || (!problem && !aside)) return reading;
  auto state = std::make_shared<PathHistoryState>(*reading);
  state->problem = problem ? sentence(*problem) : putAsideSentence(UntrustedText(aside->string()));
  return state;
}

void PathKeeper::forget(const PathPrefix& path) {
  m_background.post([folder = m_settings.folder, path](const std::stop_token&) {
    // A path that cannot be deleted shows up when the history is read again.
    if (auto store = PathHistoryStore::openToRead(folder); store && *store) static_cast<void>((*store)->forget(path));
  });
  // Queued behind it; a reading that is already running is older.
  m_readAt = m_settings.now();
  read();
}

bool PathKeeper::isOf(const Place& place) const {
  return place.bootId == m_settings.place.bootId && place.networkNamespace == m_settings.place.networkNamespace;
}

std::unique_ptr<PathKeeper> openPathKeeper(bool isWanted) {
  const auto folder = PathHistoryStore::folder();
  const auto place = findLocalPlace(std::nullopt);
  if (!isWanted || isPathHistoryOff() || !folder || !place) return nullptr;
  return std::make_unique<PathKeeper>(PathHistoryFeed::Settings{*folder, place->place, monotonicNow, kWriteEvery},
                                      kReadEvery);
}

}  // namespace tcpscope
