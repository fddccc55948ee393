// Places without a source, until one reports again: the first whole dump of a new agent names every open socket, and
// what it leaves out is closed.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/base/moment.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

class PlacesLost {
public:
  void lose(PlaceId place) { m_lost.try_emplace(place).first->second.isNamedAgain = false; }
  /// Its source is back; what it has to report is still to come.
  void nameAgain(PlaceId place) { m_lost[place].isNamedAgain = true; }
  void forget(PlaceId place) { m_lost.erase(place); }
  [[nodiscard]] bool isLost(PlaceId place) const { return m_lost.contains(place); }
  [[nodiscard]] bool isMissing(PlaceId place) const {
    const auto found = m_lost.find(place);
    return found != m_lost.end() && !found->second.isNamedAgain;
  }

  /// True with the batch that ends the first whole dump since the place was lost; it is not lost any more then.
  [[nodiscard]] bool hasReturnedWith(const ObservationBatch& batch) {
    const auto found = m_lost.find(batch.place);
    if (found == m_lost.end() || batch.turn == PlaceTurn::lost) return false;
    Lost& lost = found->second;
    lost.missesSockets = lost.missesSockets || std::any_of(batch.gaps.begin(), batch.gaps.end(), mayMissSockets);
    if (!batch.dumpEndedAt) return false;
    const bool isLast = ++lost.dumps == kMostDumps;
    if (std::exchange(lost.missesSockets, false) && !isLast) return false;
    m_lost.erase(found);
    return true;
  }

  /// When `now` was at the first call since it was lost; absent for a place that is not lost.
  [[nodiscard]] std::optional<Moment> since(PlaceId place, Moment now) {
    const auto found = m_lost.find(place);
    if (found == m_lost.end()) return std::nullopt;
    if (!found->second.since) found->second.since = now;
    return found->second.since;
  }

private:
  struct Lost {
    std::optional<Moment> since;
    int dumps = 0;
    bool missesSockets = false;
    bool isNamedAgain = false;
  };

  static bool mayMissSockets(const CollectionGap& gap) { return maySkipSockets(gap.kind); }

  /// A kernel whose every dump has gaps reports no more with the next one.
  static constexpr int kMostDumps = 3;
  std::map<PlaceId, Lost> m_lost;
};

}  // namespace tcpscope
