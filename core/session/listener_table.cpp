#include "core/session/listener_table.h"

namespace tcpscope {

void ListenerTable::setOwner(ConnectionId id, std::shared_ptr<const Owner> owner) {
  const auto found = m_listeners.find(id);
  if (found != m_listeners.end()) found->second.owner = std::move(owner);
}

std::vector<ListenerRow> ListenerTable::rows() const {
  std::vector<ListenerRow> rows;
  rows.reserve(m_listeners.size());
  for (const auto& [id, listener] : m_listeners) {
    const SocketObservation& socket = listener.socket;
    rows.push_back({id, socket.local, socket.receiveQueue.value(), socket.sendQueue.value(), listener.owner,
                    diagnoseListener(socket)});
  }
  return rows;
}

}  // namespace tcpscope
