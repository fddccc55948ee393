// Sightings of paths as tests describe them: a connection to 198.51.100.2, 20 ms away, that has sent 10,000 segments.
#pragma once

#include "core/advice/path_entry.h"

namespace tcpscope::test {

inline PathPrefix path(std::string_view text) {
  return PathPrefix::parse(text).value();
}

/// So long after the tests' beginning.
inline WallTime wall(Nanoseconds since) {
  return WallTime::fromNanoseconds(1'700'000'000'000'000'000) + since;
}

inline PathSighting sighted(std::uint64_t cookie, std::string_view prefix = "198.51.100.0/24") {
  PathSighting sighting{{PlaceId{0}, cookie}, path(prefix), wall(Nanoseconds(0)), {}, {}, 0, 0, {}, {}, {}, {}};
  sighting.rtt = std::chrono::milliseconds(20);
  sighting.segments = 10'000;
  return sighting;
}

/// That many bytes in the seconds from `from` to `to`.
inline SpanVolume volume(std::uint64_t bytes, int from, int to, Limit limit = Limit::unknown) {
  return {Bytes(bytes), Moment() + std::chrono::seconds(from), Moment() + std::chrono::seconds(to), limit};
}

inline PathRate rate(double bitsPerSecond, Limit limit = Limit::network) {
  return {BitsPerSecond(bitsPerSecond), limit, wall(Nanoseconds(0))};
}

}  // namespace tcpscope::test
