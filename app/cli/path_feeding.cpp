#include "app/cli/path_feeding.h"

#include <fmt/format.h>

#include "collectors/system/monotonic_clock.h"
#include "core/present/text/path_history_text.h"

namespace tcpscope {

bool keepsPathHistory(const CommandOptions& options) {
  return !options.noPathHistory && !options.from && !options.networkNamespace && !isPathHistoryOff() &&
         PathHistoryStore::folder();
}

PathFeeding::PathFeeding(const CommandOptions& options, const Place& place) {
  if (!keepsPathHistory(options)) return;
  m_feed =
      std::make_unique<PathHistoryFeed>(PathHistoryFeed::Settings{*PathHistoryStore::folder(), place, monotonicNow});
}

PathFeeding::~PathFeeding() {
  if (!m_feed) return;
  m_feed->finish();
  if (const auto aside = m_feed->putAside()) {
    fmt::print(stderr, "tcpscope-cli: {}\n", putAsideSentence(UntrustedText(aside->string())));
  }
  if (const auto problem = m_feed->problem()) fmt::print(stderr, "tcpscope-cli: {}\n", sentence(*problem));
}

TakePathSightings PathFeeding::sink() {
  if (!m_feed) return nullptr;
  return [feed = m_feed.get()](const std::vector<PathSighting>& sightings) { feed->take(sightings); };
}

void PathFeeding::take(const std::vector<PathSighting>& sightings) {
  if (m_feed) m_feed->take(sightings);
}

void feedPathHistory(const CommandOptions& options, const ConnectionWatch& watch) {
  if (watch.paths.empty() || watch.snapshot->places.empty()) return;
  PathFeeding(options, watch.snapshot->places.front()).take(watch.paths);
}

}  // namespace tcpscope
