// A path history that a test draws, of the host with the boot "here".
#pragma once

#include "tests/support/path_sightings.h"
#include "ui/feed/path_history_port.h"

namespace tcpscope::test {

class DrawnPaths final : public PathHistoryPort {
public:
  std::shared_ptr<const PathHistoryState> state() override { return current; }
  void forget(const PathPrefix& path) override { forgotten.push_back(path); }
  [[nodiscard]] bool isOf(const Place& place) const override { return place.bootId == "here"; }

  void shows(std::vector<PathEntry> entries) {
    auto state = std::make_shared<PathHistoryState>();
    state->entries = std::move(entries);
    current = state;
  }

  std::shared_ptr<const PathHistoryState> current;
  std::vector<PathPrefix> forgotten;
};

/// 20 ms away, once 94 Mbit/s fast by the path itself.
inline PathEntry knownPath(std::string_view prefix) {
  PathEntry entry(path(prefix));
  entry.firstSeen = wall(Nanoseconds(0));
  entry.lastSeen = wall(std::chrono::hours(1));
  entry.connections = 3;
  entry.rtt = PathDelay{std::chrono::milliseconds(20), wall(Nanoseconds(0))};
  entry.sending = rate(94e6);
  return entry;
}

/// The snapshot, seen on the host of this boot.
inline std::shared_ptr<const SessionSnapshot> seenAt(const std::shared_ptr<const SessionSnapshot>& snapshot,
                                                     const std::string& bootId) {
  auto other = std::make_shared<SessionSnapshot>(*snapshot);
  Place place;
  place.id = snapshot->details.begin()->first.place;
  place.bootId = bootId;
  other->places = {place};
  return other;
}

}  // namespace tcpscope::test
