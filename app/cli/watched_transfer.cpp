#include "app/cli/watched_transfer.h"

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

Expected<WatchedTransfer, ExitCode> WatchedTransfer::open(const LocalPlace& place, ConnectionId connection) {
  LocalSessionSettings settings;
  settings.resolveOwners = false;
  settings.control.focus = connection;
  auto session = PolledSession::open(place, settings);
  if (!session) return Unexpected<ExitCode>(fail(session.error()));
  return WatchedTransfer(std::move(*session), connection);
}

bool WatchedTransfer::lookFor(Nanoseconds span, const Interruption& interruption) {
  constexpr Milliseconds kPollInterval{100};
  const Moment end = monotonicNow() + span;
  Moment next = monotonicNow();
  bool goesOn = true;
  while (goesOn) {
    goesOn = m_session->poll();
    m_snapshot = m_session->tick();
    const ConnectionDetail* seen = detail();
    if (seen == nullptr || seen->row.closed) goesOn = false;
    const Moment now = monotonicNow();
    if (now >= end) break;
    next = std::max(next + kPollInterval, now);
    if (interruption.waitUntil(std::min(next, end)) == Interruption::Wake::interrupted) goesOn = false;
  }
  return goesOn;
}

const ConnectionDetail* WatchedTransfer::detail() const {
  if (!m_snapshot) return nullptr;
  const auto found = m_snapshot->details.find(m_connection);
  return found == m_snapshot->details.end() ? nullptr : found->second.get();
}

}  // namespace tcpscope
