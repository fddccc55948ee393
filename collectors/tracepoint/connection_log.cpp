#include "collectors/tracepoint/connection_log.h"

#include "collectors/tracepoint/set_state_event.h"

namespace tcpscope {

std::optional<KernelEvent> ConnectionLog::take(const SourceEvent& event) {
  const auto change = decodeSetStatePayload(event.payload);
  if (!change || !change->socket) return std::nullopt;
  const auto found = m_known.find(*change->socket);
  std::optional<Known> known;
  if (found != m_known.end()) {
    if (found->second.state == change->oldState) known = found->second;
    m_known.erase(found);
  }
  const auto remember = [&](const Known& next) {
    if (m_known.size() >= kMostOpen) m_known.clear();
    m_known.emplace(*change->socket, next);
  };
  const bool wasAttempt = change->oldState == TcpState::synSent || (known && known->isAttempt);
  KernelEvent made{KernelEventKind::closed, event.local, event.remote, event.at};
  if (known) {
    made.duration = event.at - known->since;
    made.thread = known->thread;
    made.threadName = known->threadName;
  }
  switch (change->newState) {
    case TcpState::synSent:
      remember({event.at, change->newState, true, change->pid, m_names ? m_names(change->pid) : UntrustedText()});
      return std::nullopt;
    case TcpState::established:
      made.kind = wasAttempt ? KernelEventKind::opened : KernelEventKind::accepted;
      if (!wasAttempt) made.duration.reset();
      remember({event.at, change->newState, false, made.thread, made.threadName});
      return made;
    case TcpState::close:
      if (wasAttempt) {
        made.kind = KernelEventKind::openingFailed;
      } else if (change->oldState == TcpState::listen || change->oldState == TcpState::synReceived) {
        return std::nullopt;
      }
      return made;
    default:
      if (known) {
        known->state = change->newState;
        remember(*known);
      }
      return std::nullopt;
  }
}

}  // namespace tcpscope
