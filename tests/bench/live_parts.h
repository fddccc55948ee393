// Poller and session put together as the live session does it, but driven cycle by cycle and without threads.
#pragma once

#include <memory>

#include "collectors/sock_diag/sock_diag_poller.h"
#include "core/session/analysis_session.h"

namespace tcpscope::bench {

class LiveParts {
public:
  /// Ends the program where the kernel gives no diagnosis socket.
  LiveParts();

  /// One full cycle: destroyed sockets, dump, analysis, snapshot. The older snapshot goes, as in a view.
  void cycle();
  /// Every row gets one of a hundred owners.
  void giveOwners();
  /// Some established connection; ends the program where there is none.
  [[nodiscard]] SocketAddress anyConnection() const;

  [[nodiscard]] AnalysisSession& session() { return m_session; }
  [[nodiscard]] const SessionSnapshot& snapshot() const { return *m_snapshot; }
  /// Sockets that the last cycle found changed.
  [[nodiscard]] std::size_t changed() const { return m_changed; }
  /// Processor time that the parts of the last cycle took, in seconds.
  [[nodiscard]] double collecting() const { return m_collecting; }
  [[nodiscard]] double accepting() const { return m_accepting; }
  [[nodiscard]] double ticking() const { return m_ticking; }

private:
  std::unique_ptr<SockDiagPoller> m_poller;
  AnalysisSession m_session;
  std::shared_ptr<const SessionSnapshot> m_snapshot;
  std::size_t m_changed = 0;
  double m_collecting = 0.0;
  double m_accepting = 0.0;
  double m_ticking = 0.0;
};

}  // namespace tcpscope::bench
