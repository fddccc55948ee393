#include "collectors/tracepoint/connection_log.h"

#include "collectors/tracepoint/set_state_event.h"

namespace tcpscope {

std::optional<KernelEvent> ConnectionLog::take(const SourceEvent& event) {
  const auto change = decodeSetStatePayload(event.payload);
  if (!change || !change->socket) return std::nullopt;
  const auto known = m_known.find(*change->socket);
  KernelEvent made{KernelEventKind::closed, event.local, event.remote, event.at, std::nullopt, std::nullopt};
  if (known != m_known.end()) {
    made.duration = event.at - known->second.since;
    made.thread = known->second.thread;
  }
  const auto remember = [&](std::optional<std::int32_t> thread) {
    if (m_known.size() >= kMostOpen) m_known.clear();
    m_known.insert_or_assign(*change->socket, Known{event.at, thread});
  };
  if (change->newState == TcpState::synSent) {
    remember(change->pid);
    return std::nullopt;
  }
  if (change->newState == TcpState::established) {
    made.kind = change->oldState == TcpState::synSent ? KernelEventKind::opened : KernelEventKind::accepted;
    remember(made.thread);
    return made;
  }
  if (change->newState != TcpState::close) return std::nullopt;
  if (known != m_known.end()) m_known.erase(known);
  if (change->oldState == TcpState::listen || change->oldState == TcpState::synReceived) return std::nullopt;
  if (change->oldState == TcpState::synSent) made.kind = KernelEventKind::openingFailed;
  return made;
}

}  // namespace tcpscope
