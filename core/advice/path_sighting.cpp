#include "core/advice/path_sighting.h"

#include <algorithm>
#include <map>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

/// Shorter, and the start of the transfer is most of it; less, and it was no transfer.
constexpr Nanoseconds kShortestFairSpan = std::chrono::seconds(1);
constexpr Bytes kFewestBytes{1U << 20};
/// A slow path moves less, and says itself that it is full.
constexpr Bytes kFewestBytesOfFullPath{64U << 10};

std::optional<Microseconds> smallestRoundTrip(const SocketObservation& socket, const WindowStatistics& window) {
  if (const auto seen = roundTrip(socket, window)) return Microseconds(static_cast<std::int64_t>(seen->smallestUs));
  for (const auto& told : {socket.info.minRtt(), socket.info.rtt()}) {
    if (told && told->count() > 0) return told;
  }
  return std::nullopt;
}

std::uint64_t neededAgain(const TcpInfoSample& info) {
  const std::uint64_t again = info.totalRetrans().value_or(Segments()).value();
  return again - std::min(again, info.dsackDups().value_or(Segments()).value());
}

/// Volumes of one path and one way, as they come.
class Together {
public:
  void add(const SpanVolume& volume, WallTime at) {
    m_at = at;
    m_best = higher(m_best, fairRate(volume));
    m_sum.from = m_isEmpty ? volume.from : std::min(m_sum.from, volume.from);
    m_sum.to = m_isEmpty ? volume.to : std::max(m_sum.to, volume.to);
    m_sum.amount = Bytes(m_sum.amount.value() + volume.amount.value());
    if (volume.amount > m_largest) {
      m_largest = volume.amount;
      m_sum.limit = volume.limit;
    }
    m_isEmpty = false;
  }
  [[nodiscard]] std::optional<PathRate> best() const { return higher(m_best, fairRate(m_sum)); }

private:
  [[nodiscard]] std::optional<PathRate> fairRate(const SpanVolume& volume) const {
    if (volume.to - volume.from < kShortestFairSpan) return std::nullopt;
    PathRate rate{BitsPerSecond::from(volume.amount, volume.to - volume.from), volume.limit, m_at};
    if (volume.amount < (rate.isOfPath() ? kFewestBytesOfFullPath : kFewestBytes)) return std::nullopt;
    return rate;
  }

  WallTime m_at;
  std::optional<PathRate> m_best;
  SpanVolume m_sum;
  Bytes m_largest;
  bool m_isEmpty = true;
};

}  // namespace

std::optional<PathOptions> pathOptionsOf(const TcpInfoSample& info) {
  const auto bits = info.options();
  if (!bits) return std::nullopt;
  PathOptions options{bits->sack(), bits->timestamps(), bits->ecn(), {}, {}, info.sndMss()};
  if (bits->windowScale()) {
    options.sendWindowScale = info.sndWscale().value_or(Count()).value();
    options.receiveWindowScale = info.rcvWscale().value_or(Count()).value();
  }
  return options;
}

std::optional<PathSighting> sightingOf(const SocketObservation& socket, const WindowStatistics& window,
                                       const SightedVerdict& verdict, WallTime at) {
  const auto path = pathOf(socket.local.address, socket.remote.address);
  if (!path || socket.id.cookie == 0 || socket.state == TcpState::synSent) return std::nullopt;
  const auto roundTrip = smallestRoundTrip(socket, window);
  // Nothing came back yet: there may be no path at all.
  if (!roundTrip) return std::nullopt;
  PathSighting sighting{socket.id, *path, at, roundTrip, {}, 0, 0, {}, {}, {}, pathOptionsOf(socket.info)};
  if (const auto segments = socket.info.dataSegsOut()) sighting.segments = segments->value();
  sighting.retransmitted = neededAgain(socket.info);
  const bool isSure = verdict.confidenceRatio >= kConfident && verdict.limit != Limit::unknown;
  if (isSure) sighting.limit = verdict.limit;
  const auto volume = [&](Side side, std::uint64_t bytes) -> std::optional<SpanVolume> {
    if (bytes == 0) return std::nullopt;
    const Limit limit = isSure && verdict.bulk == side ? verdict.limit : Limit::unknown;
    return SpanVolume{Bytes(bytes), window.from, window.to, limit};
  };
  sighting.sent = volume(Side::sending, window.ackedBytes);
  sighting.received = volume(Side::receiving, window.receivedBytes);
  return sighting;
}

std::vector<PathRates> ratesOf(std::span<const PathSighting> sightings) {
  std::map<PathPrefix, std::pair<Together, Together>> paths;
  for (const PathSighting& sighting : sightings) {
    if (sighting.sent) paths[sighting.path].first.add(*sighting.sent, sighting.at);
    if (sighting.received) paths[sighting.path].second.add(*sighting.received, sighting.at);
  }
  std::vector<PathRates> rates;
  for (const auto& [path, both] : paths) {
    const PathRates found{path, both.first.best(), both.second.best()};
    if (found.sending || found.receiving) rates.push_back(found);
  }
  return rates;
}

std::optional<PathRate> higher(const std::optional<PathRate>& one, const std::optional<PathRate>& other) {
  if (!one || !other) return one ? one : other;
  return other->rate > one->rate ? other : one;
}

}  // namespace tcpscope
