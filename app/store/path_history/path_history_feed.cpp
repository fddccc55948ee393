#include "app/store/path_history/path_history_feed.h"

#include <cstdlib>
#include <system_error>
#include <utility>

namespace tcpscope {

namespace {

/// Connections that may wait for a history which cannot be written.
constexpr std::size_t kMostPending = 20'000;

bool mayPass(PathHistoryErrorKind kind) {
  return kind == PathHistoryErrorKind::busy || kind == PathHistoryErrorKind::full ||
         kind == PathHistoryErrorKind::failed || kind == PathHistoryErrorKind::damaged;
}

template <class Key, class Value>
std::vector<Value> valuesOf(const std::map<Key, Value>& map) {
  std::vector<Value> values;
  values.reserve(map.size());
  for (const auto& [key, value] : map) values.push_back(value);
  return values;
}

}  // namespace

bool isPathHistoryOff() {
  const char* const value =
      std::getenv("TCPSCOPE_NO_PATH_BOOK");  // NOLINT(concurrency-mt-unsafe): no thread changes the environment
  return value != nullptr && *value != '\0';
}

// One connection too many is left out; its next sighting says it all again.
void PathHistoryFeed::Pending::add(const PathSighting& sighting) {
  const auto known = sightings.find(sighting.connection);
  if (known == sightings.end()) {
    if (sightings.size() < kMostPending) sightings.emplace(sighting.connection, sighting);
    return;
  }
  PathSighting newest = sighting;
  newest.lossEvents += known->second.lossEvents;
  if (!newest.limit) newest.limit = known->second.limit;
  known->second = newest;
}

void PathHistoryFeed::Pending::add(const PathRates& more) {
  const auto known = rates.find(more.path);
  if (known == rates.end()) {
    if (rates.size() < kMostPaths) rates.emplace(more.path, more);
    return;
  }
  known->second.sending = higher(known->second.sending, more.sending);
  known->second.receiving = higher(known->second.receiving, more.receiving);
}

void PathHistoryFeed::Pending::addOlder(Pending&& older) {
  for (const auto& [connection, sighting] : sightings) older.add(sighting);
  for (const auto& [path, best] : rates) older.add(best);
  *this = std::move(older);
}

void PathHistoryFeed::take(const std::vector<PathSighting>& sightings) {
  std::vector<PathSighting> ours;
  for (const PathSighting& sighting : sightings) {
    if (sighting.connection.place == m_settings.place.id) ours.push_back(sighting);
  }
  const std::vector<PathRates> rates = ratesOf(ours);
  const std::lock_guard lock(m_mutex);
  if (m_isOver) return;
  for (const PathSighting& sighting : ours) m_pending.add(sighting);
  for (const PathRates& best : rates) m_pending.add(best);
  const Moment now = m_settings.now();
  if (!m_writtenAt) m_writtenAt = now;
  if (now - *m_writtenAt < m_settings.writeEvery) return;
  m_writtenAt = now;
  startWriting();
}

void PathHistoryFeed::startWriting() {
  if (m_isWriting || m_isOver || m_pending.empty()) return;
  try {
    if (!m_background) m_background = std::make_unique<BackgroundQueue>();
  } catch (const std::system_error& error) {
    m_problem = PathHistoryError{PathHistoryErrorKind::failed, {}, error.code().value()};
    m_isOver = true;
    return;
  }
  m_isWriting = true;
  m_background->post([this](const std::stop_token&) { write(); });
}

void PathHistoryFeed::write() {
  Pending pending;
  {
    const std::lock_guard lock(m_mutex);
    pending = std::exchange(m_pending, {});
  }
  const auto written = writeToStore(pending);
  {
    const std::lock_guard lock(m_mutex);
    m_isWriting = false;
    m_problem = written ? std::nullopt : std::optional(written.error());
    if (m_store && m_store->putAside()) m_putAside = m_store->putAside();
    if (written) {
      ++m_writings;
    } else if (mayPass(written.error().kind)) {
      m_pending.addOlder(std::move(pending));
      // Opened again: open() puts a damaged file aside.
      m_store.reset();
    } else {
      m_isOver = true;
    }
  }
  m_written.notify_all();
}

Expected<void, PathHistoryError> PathHistoryFeed::writeToStore(const Pending& pending) {
  if (!m_store) {
    auto store = PathHistoryStore::openToWrite(m_settings.folder);
    if (!store) return Unexpected<PathHistoryError>(store.error());
    m_store = std::move(*store);
  }
  const std::string place = m_settings.place.bootId + ":" + m_settings.place.networkNamespace + ":";
  return m_store->take(valuesOf(pending.sightings), valuesOf(pending.rates), place);
}

void PathHistoryFeed::finish() {
  std::unique_lock lock(m_mutex);
  const auto isIdle = [this] { return !m_isWriting; };
  m_written.wait(lock, isIdle);
  startWriting();
  m_written.wait(lock, isIdle);
  m_isOver = true;
}

std::optional<PathHistoryError> PathHistoryFeed::problem() const {
  const std::lock_guard lock(m_mutex);
  return m_problem;
}

std::optional<std::filesystem::path> PathHistoryFeed::putAside() const {
  const std::lock_guard lock(m_mutex);
  return m_putAside;
}

std::uint64_t PathHistoryFeed::writings() const {
  const std::lock_guard lock(m_mutex);
  return m_writings;
}

}  // namespace tcpscope
