// What one sample, or the final one at its close, reports about a connection and so about its path. Counters cover its
// whole life: a missed sample costs nothing, the next one includes it.
#pragma once

#include <span>
#include <vector>

#include "core/advice/path_prefix.h"
#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/diagnosis/evidence/finding.h"

namespace tcpscope {

/// What both ends negotiated in the handshake.
struct PathOptions {
  bool sack = false;
  bool timestamps = false;
  bool ecn = false;
  /// Absent where windows are not scaled.
  std::optional<std::uint64_t> sendWindowScale;
  std::optional<std::uint64_t> receiveWindowScale;
  std::optional<Bytes> segmentSize;

  bool operator==(const PathOptions&) const = default;
};

/// Absent where the kernel does not report them.
std::optional<PathOptions> pathOptionsOf(const ConnectionEvidence& sending);

/// Data that went one way over a span of time, and what limited it meanwhile; unknown where that is in doubt.
struct SpanVolume {
  Bytes amount;
  Moment from;
  Moment to;
  Limit limit = Limit::unknown;
};

struct PathSighting {
  ConnectionId connection;
  PathPrefix path;
  WallTime at;
  /// The smallest of the connection; absent before the first.
  std::optional<Microseconds> rtt;
  /// Data segments sent, and the necessary retransmissions among them; absent where the kernel does not count them.
  std::optional<std::uint64_t> segments;
  std::uint64_t retransmitted = 0;
  /// Spans with a loss since the sighting before.
  std::uint64_t lossEvents = 0;
  /// Of the last seconds; absent where nothing moved.
  std::optional<SpanVolume> sent;
  std::optional<SpanVolume> received;
  /// The verdict of the side that carries the bulk, where it is sure.
  std::optional<Limit> limit;
  std::optional<PathOptions> options;
};

/// The verdict of a connection, as the list has it.
struct SightedVerdict {
  Side bulk = Side::sending;
  Limit limit = Limit::unknown;
  double confidenceRatio = 0.0;
};

/// Absent for a connection without a path, and before its first RTT sample. `socket` says which connection it is,
/// `sending` what is known of it: the span is empty where it was not sampled.
std::optional<PathSighting> sightingOf(const SocketObservation& socket, const ConnectionEvidence& sending,
                                       const SightedVerdict& verdict, WallTime at);

/// The best that one connection, or all of them together, moved; only over what is a fair span (see .cpp).
struct PathRate {
  BitsPerSecond rate;
  /// What limited it; unknown where that is in doubt.
  Limit limit = Limit::unknown;
  WallTime at;

  /// The path itself limited it: this is its rate. Else the path can carry at least this.
  [[nodiscard]] bool isOfPath() const {
    return limit == Limit::network || limit == Limit::recovery || limit == Limit::timeout;
  }
  bool operator==(const PathRate&) const = default;
};

/// Rates of one path in one sample. Together counts over the whole time from the first byte to the last, so that
/// transfers that came one after the other are not taken for ones side by side.
struct PathRates {
  PathPrefix path;
  std::optional<PathRate> sending;
  std::optional<PathRate> receiving;
};
std::vector<PathRates> ratesOf(std::span<const PathSighting> sightings);

/// The higher of two; on its own where the other is missing.
std::optional<PathRate> higher(const std::optional<PathRate>& one, const std::optional<PathRate>& other);

}  // namespace tcpscope
