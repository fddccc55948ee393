// A running transfer that a command observes before and after a change.
#pragma once

#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "app/session/polled_session.h"

namespace tcpscope {

class WatchedTransfer {
public:
  /// Or the exit code after printing the error.
  static Expected<WatchedTransfer, ExitCode> open(const LocalPlace& place, ConnectionId connection);

  /// Observes it for this long. False where it was interrupted, the connection ended, or the kernel answers no more.
  bool lookFor(Nanoseconds span, const Interruption& interruption);
  /// The latest snapshot; null before the first poll.
  [[nodiscard]] const std::shared_ptr<const SessionSnapshot>& snapshot() const { return m_snapshot; }
  /// Null where the connection was not seen.
  [[nodiscard]] const ConnectionDetail* detail() const;

private:
  WatchedTransfer(std::unique_ptr<PolledSession> session, ConnectionId connection)
      : m_session(std::move(session)), m_connection(connection) {}

  std::unique_ptr<PolledSession> m_session;
  ConnectionId m_connection;
  std::shared_ptr<const SessionSnapshot> m_snapshot;
};

}  // namespace tcpscope
