// What is kept of one path, how a sighting adds to it, and why the path history cannot be read or written. Nothing in
// an entry names a host, a process or a port.
#pragma once

#include <array>
#include <cstdint>

#include "core/advice/path_sighting.h"
#include "core/base/untrusted_text.h"

namespace tcpscope {

/// A minimum RTT or a best rate older than this gives way to the next that is measured: routes and contracts change.
inline constexpr Nanoseconds kFigureLives = std::chrono::hours(24 * 30);

struct PathDelay {
  Microseconds smallest{0};
  WallTime at;

  bool operator==(const PathDelay&) const = default;
};

struct PathEntry {
  PathPrefix path;
  WallTime firstSeen;
  WallTime lastSeen;
  std::uint64_t connections = 0;
  std::optional<PathDelay> rtt;
  std::optional<PathRate> sending;
  std::optional<PathRate> receiving;
  /// Data segments sent over this path, and the necessary retransmissions among them: an upper bound on the losses.
  std::uint64_t segments = 0;
  std::uint64_t retransmitted = 0;
  /// Loss events that could be distinguished: a lower bound.
  std::uint64_t lossEvents = 0;
  /// On how many connections each limit was seen for sure; one connection may have several.
  std::array<std::uint64_t, kLimitCount> limits{};
  /// As the last connection had them.
  std::optional<PathOptions> options;

  explicit PathEntry(const PathPrefix& prefix) : path(prefix) {}
  bool operator==(const PathEntry&) const = default;

  /// The limit that most connections met, idle aside; nothing where none was sure.
  [[nodiscard]] std::optional<Limit> usualLimit() const;
  /// Loss events per segment; nothing before enough was sent to distinguish a lossy path from a loss-free one.
  [[nodiscard]] std::optional<double> lossRatio() const;
  /// Rate times RTT, of the faster direction; nothing where either is not known.
  [[nodiscard]] std::optional<Bytes> bandwidthDelayProduct() const;
};

/// What of a connection is in its path's entry already, whichever program brought it.
struct CountedConnection {
  bool isCounted = false;
  std::uint64_t segments = 0;
  std::uint64_t retransmitted = 0;
  /// A bit for each of kLimits.
  std::uint8_t limits = 0;

  bool operator==(const CountedConnection&) const = default;
};

/// Adds what of the sighting is new.
void takeIn(PathEntry& entry, CountedConnection& counted, const PathSighting& sighting);
void takeIn(PathEntry& entry, const PathRates& rates);

/// Why the path history cannot be read or written. The sentence is made in core/present/text/path_history_text.h.
enum class PathHistoryErrorKind : std::uint8_t {
  /// The environment names no place for it.
  noFolder,
  /// errno in `number`; EPERM also where others may write to the folder.
  notOpened,
  /// The file is none of ours, or its content makes no sense.
  damaged,
  /// A file of another program.
  foreign,
  /// Written by a later version of this program.
  later,
  /// Another program kept it for too long.
  busy,
  /// The disk, or the quota, is full.
  full,
  /// SQLite's code in `number`.
  failed,
};

struct PathHistoryError {
  PathHistoryErrorKind kind = PathHistoryErrorKind::failed;
  /// Of the file.
  UntrustedText file{};
  int number = 0;
};

}  // namespace tcpscope
