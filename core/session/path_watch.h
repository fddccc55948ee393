// What connections show of their paths, for the path history: those that changed since the last sample, and each once
// more at its end.
#pragma once

#include <vector>

#include "core/advice/path_sighting.h"
#include "core/session/connection_list.h"

namespace tcpscope {

class PathWatch {
public:
  /// Half of the statistics window: samples further apart would miss what falls in between.
  explicit PathWatch(Nanoseconds halfWindow) : m_pollInterval(halfWindow) {}

  /// These connections changed since the last picture.
  void note(const std::vector<std::uint32_t>& touched);
  /// The connection ends, and may be forgotten right after.
  void lookAtEnd(ConnectionTracker& tracker, const ConnectionList& list, const ClockPair& clock,
                 const ClosedSocket& closed);

  [[nodiscard]] bool isDue(Moment now) const { return !m_polledAt || now - *m_polledAt >= m_pollInterval; }
  /// What was noted and what ended since the last call; of one connection the newest comes last.
  [[nodiscard]] std::vector<PathSighting> take(ConnectionTracker& tracker, const ConnectionList& list,
                                               const ClockPair& clock, Moment now);

private:
  [[nodiscard]] bool isFull() const;

  Nanoseconds m_pollInterval;
  std::optional<Moment> m_polledAt;
  std::vector<bool> m_noted;
  std::vector<PathSighting> m_seen;
};

}  // namespace tcpscope
