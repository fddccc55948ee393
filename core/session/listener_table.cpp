#include "core/session/listener_table.h"

#include <algorithm>

namespace tcpscope {

bool ListenerTable::take(const SocketObservation& listener) {
  const auto known = m_listeners.find(listener.id);
  if (known != m_listeners.end()) {
    known->second.socket = listener;
    return true;
  }
  if (m_listeners.size() >= m_most) return false;
  m_listeners.emplace(listener.id, Listener{listener, nullptr});
  return true;
}

std::size_t ListenerTable::bytes() const {
  constexpr std::size_t kNode = 48;
  std::size_t bytes = m_listeners.size() * (sizeof(Listener) + kNode);
  for (const auto& [id, listener] : m_listeners) bytes += listener.owner ? bytesOf(*listener.owner) : 0;
  return bytes;
}

void ListenerTable::setOwner(ConnectionId id, std::shared_ptr<const Owner> owner) {
  const auto found = m_listeners.find(id);
  if (found != m_listeners.end()) found->second.owner = std::move(owner);
}

void ListenerTable::report(ObservationBatch& batch) const {
  for (const auto& [id, listener] : m_listeners) {
    if (id.place != batch.place) continue;
    batch.changed.push_back(listener.socket);
    if (listener.owner) batch.owners.push_back({id, *listener.owner});
  }
}

std::vector<ListenerRow> ListenerTable::rows() const {
  std::vector<ListenerRow> rows;
  rows.reserve(m_listeners.size());
  for (const auto& [id, listener] : m_listeners) {
    const SocketObservation& socket = listener.socket;
    rows.push_back({id, socket.local, socket.receiveQueue.value(), socket.sendQueue.value(), listener.owner,
                    diagnoseListener(socket)});
  }
  // Problems come first.
  std::stable_sort(rows.begin(), rows.end(), [](const ListenerRow& a, const ListenerRow& b) {
    return a.findings.size() != b.findings.size() ? a.findings.size() > b.findings.size() : a.local < b.local;
  });
  return rows;
}

SocketObservation observationOf(const ListenerRow& row) {
  SocketObservation socket;
  socket.id = row.id;
  socket.state = TcpState::listen;
  socket.local = row.local;
  socket.receiveQueue = Bytes(row.acceptQueue);
  socket.sendQueue = Bytes(row.backlog);
  return socket;
}

}  // namespace tcpscope
