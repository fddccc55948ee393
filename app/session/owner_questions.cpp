#include "app/session/owner_questions.h"

#include <utility>

namespace tcpscope {

void OwnerQuestions::note(const ObservationBatch& batch) {
  for (const SocketObservation& socket : batch.changed) {
    if (socket.inode != 0 && socket.inode != inodeOf(socket.id)) m_owners[socket.id] = socket.inode;
  }
  for (const ClosedSocket& closed : batch.closed) {
    m_owners.erase(closed.id);
    if (m_asked.erase(closed.id) > 0) m_waiting.closed.push_back(closed.id);
  }
}

ProcessQuestions OwnerQuestions::take() {
  for (const auto& [id, inode] : m_owners) {
    m_asked[id] = inode;
    m_waiting.owners.push_back({id, inode});
  }
  m_owners.clear();
  return std::exchange(m_waiting, {});
}

}  // namespace tcpscope
