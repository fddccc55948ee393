#include "core/advice/path_entry.h"

#include <algorithm>

#include "core/diagnosis/bounds/window_rate.h"

namespace tcpscope {

namespace {

/// One loss in so many is the least that slows a long path down; fewer segments cannot show it.
constexpr std::uint64_t kFewestSegments = 1000;

std::uint64_t growth(std::uint64_t before, std::uint64_t now) {
  return now - std::min(now, before);
}

bool isOutdated(WallTime measured, WallTime now) {
  return now - measured > kFigureLives;
}

void takeRtt(PathEntry& entry, Microseconds rtt, WallTime at) {
  const bool replaces = !entry.rtt || rtt <= entry.rtt->smallest || isOutdated(entry.rtt->at, at);
  if (replaces) entry.rtt = PathDelay{rtt, at};
}

void takeLosses(PathEntry& entry, CountedConnection& counted, const PathSighting& sighting) {
  if (!sighting.segments) return;
  const std::uint64_t again = growth(counted.retransmitted, sighting.retransmitted);
  entry.segments += growth(counted.segments, *sighting.segments);
  entry.retransmitted += again;
  // Retransmissions before the first sample were at least one event.
  entry.lossEvents += again == 0 ? 0 : std::clamp<std::uint64_t>(sighting.lossEvents, 1, again);
  counted.segments = std::max(counted.segments, *sighting.segments);
  counted.retransmitted = std::max(counted.retransmitted, sighting.retransmitted);
}

void takeRate(std::optional<PathRate>& best, const std::optional<PathRate>& now) {
  if (!now) return;
  best = best && isOutdated(best->at, now->at) ? now : higher(best, now);
}

std::optional<Bytes> product(const std::optional<PathRate>& rate, const std::optional<PathDelay>& delay) {
  if (!rate || !delay) return std::nullopt;
  return Bytes(static_cast<std::uint64_t>(bandwidthDelayBytes(rate->rate, toSeconds(delay->smallest))));
}

}  // namespace

std::optional<Limit> PathEntry::usualLimit() const {
  std::optional<Limit> usual;
  std::uint64_t most = 0;
  for (const Limit limit : kLimits) {
    const std::uint64_t seen = limits[static_cast<std::size_t>(limit)];
    if (limit == Limit::idle || limit == Limit::unknown || seen <= most) continue;
    most = seen;
    usual = limit;
  }
  return usual;
}

std::optional<double> PathEntry::lossRatio() const {
  if (segments < kFewestSegments) return std::nullopt;
  return static_cast<double>(lossEvents) / static_cast<double>(segments);
}

std::optional<Bytes> PathEntry::bandwidthDelayProduct() const {
  return std::max(product(sending, rtt), product(receiving, rtt));
}

void takeIn(PathEntry& entry, CountedConnection& counted, const PathSighting& sighting) {
  if (entry.connections == 0) entry.firstSeen = sighting.at;
  entry.lastSeen = std::max(entry.lastSeen, sighting.at);
  if (!counted.isCounted) ++entry.connections;
  counted.isCounted = true;
  if (sighting.rtt) takeRtt(entry, *sighting.rtt, sighting.at);
  takeLosses(entry, counted, sighting);
  if (sighting.limit && hasShare(*sighting.limit)) {
    const auto index = static_cast<std::size_t>(*sighting.limit);
    const auto bit = static_cast<std::uint8_t>(1U << index);
    if ((counted.limits & bit) == 0) ++entry.limits[index];
    counted.limits |= bit;
  }
  if (sighting.options) entry.options = sighting.options;
}

void takeIn(PathEntry& entry, const PathRates& rates) {
  takeRate(entry.sending, rates.sending);
  takeRate(entry.receiving, rates.receiving);
}

}  // namespace tcpscope
