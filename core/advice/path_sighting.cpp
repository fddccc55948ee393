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

std::optional<Microseconds> minimumRtt(const ConnectionEvidence& sending) {
  if (const auto trip = rtt(sending)) return Microseconds(static_cast<std::int64_t>(trip->smallestUs));
  return sending.minRtt ? sending.minRtt : sending.rtt;
}

std::optional<std::uint64_t> neededOfAll(const ConnectionEvidence& sending) {
  if (!sending.totalRetransmissions) return std::nullopt;
  const std::uint64_t all = sending.totalRetransmissions->value();
  return all - std::min(all, sending.totalDuplicates.value_or(Segments(0)).value());
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

std::optional<PathOptions> pathOptionsOf(const ConnectionEvidence& sending) {
  const auto& negotiated = sending.options;
  if (!negotiated) return std::nullopt;
  PathOptions options{negotiated->sack, negotiated->timestamps, negotiated->ecn, {}, {}, sending.mss};
  if (negotiated->windowScale) {
    options.sendWindowScale = sending.windowScale.value_or(Count()).value();
    options.receiveWindowScale = sending.oppositeWindowScale.value_or(Count()).value();
  }
  return options;
}

std::optional<PathSighting> sightingOf(const SocketObservation& socket, const ConnectionEvidence& sending,
                                       const SightedVerdict& verdict, WallTime at) {
  const auto path = pathOf(socket.local.address, socket.remote.address);
  if (!path || socket.id.cookie == 0 || socket.state == TcpState::synSent) return std::nullopt;
  const auto rtt = minimumRtt(sending);
  // Nothing came back yet: there may be no path at all.
  if (!rtt) return std::nullopt;
  PathSighting sighting{socket.id, *path, at, rtt, {}, 0, 0, {}, {}, {}, pathOptionsOf(sending)};
  if (const auto& segments = sending.totalDataSegments) sighting.segments = segments->value();
  sighting.retransmitted = neededOfAll(sending).value_or(0);
  const bool isSure = verdict.confidenceRatio >= kConfident && verdict.limit != Limit::unknown;
  if (isSure) sighting.limit = verdict.limit;
  const auto volume = [&](Side side, const std::optional<std::uint64_t>& bytes) -> std::optional<SpanVolume> {
    if (bytes.value_or(0) == 0) return std::nullopt;
    const Limit limit = isSure && verdict.bulk == side ? verdict.limit : Limit::unknown;
    return SpanVolume{Bytes(*bytes), sending.from, sending.to, limit};
  };
  sighting.sent = volume(Side::sending, sending.bytes);
  sighting.received = volume(Side::receiving, sending.oppositeBytes);
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
