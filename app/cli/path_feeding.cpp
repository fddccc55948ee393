#include "app/cli/path_feeding.h"

#include <fmt/format.h>

#include "collectors/system/monotonic_clock.h"
#include "core/present/text/path_book_text.h"

namespace tcpscope {

bool keepsPathBook(const CommandOptions& options) {
  return !options.noPathBook && !options.from && !options.networkNamespace && !isPathBookOff() &&
         PathBookStore::folder();
}

PathFeeding::PathFeeding(const CommandOptions& options, const Place& place) {
  if (!keepsPathBook(options)) return;
  m_feed = std::make_unique<PathBookFeed>(PathBookFeed::Settings{*PathBookStore::folder(), place, monotonicNow});
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

void feedPathBook(const CommandOptions& options, const ConnectionWatch& watch) {
  if (watch.paths.empty() || watch.snapshot->places.empty()) return;
  PathFeeding(options, watch.snapshot->places.front()).take(watch.paths);
}

}  // namespace tcpscope
