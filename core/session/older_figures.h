// Figures of what is seldom, from before the window: turns of exchanges, of which a poll shows one, and loss events. At
// one poll a second the window alone holds too few turns of this end and of the peer; a policer shows in eight losses.
#pragma once

#include "core/diagnosis/evidence/window_statistics.h"

namespace tcpscope {

/// Looks back over between one and two spans of ten seconds.
class OlderFigures {
public:
  /// Is there anything to remember of it?
  [[nodiscard]] static bool isIn(const WindowStatistics& part);
  /// A part of the window that ends with it.
  void take(const WindowStatistics& part);
  /// Adds them where the window has some, but too few of its own: what has enough shows a change within the window.
  void supply(WindowStatistics& window) const;
  /// Memory beside its own.
  [[nodiscard]] std::size_t bytesElsewhere() const;

private:
  struct Figures {
    SpanFigure ownTurnUs;
    SpanFigure peersTurnUs;
    ValuePointer<LossEventFigures> losses;
  };

  void supplyLosses(WindowStatistics& window) const;

  Moment m_since;
  Figures m_latest;
  Figures m_before;
  bool m_sawLosses = false;
};

}  // namespace tcpscope
