// Turns of exchanges from before the window: a poll shows one turn, so that at one poll a second the window alone holds
// too few of this end and of the peer.
#pragma once

#include "core/diagnosis/evidence/window_statistics.h"

namespace tcpscope {

/// Looks back over between one and two spans of ten seconds.
class OlderTurns {
public:
  /// A part of the window that ends with it.
  void take(const WindowStatistics& part);
  /// Adds them where the window has too few of its own: what has enough shows a change within the window.
  void supply(WindowStatistics& window) const;

private:
  struct Turns {
    SpanFigure own;
    SpanFigure peers;
  };

  Moment m_since;
  Turns m_latest;
  Turns m_before;
};

}  // namespace tcpscope
