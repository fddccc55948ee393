#include "app/session/owner_questions.h"

#include <utility>

namespace tcpscope {

void OwnerQuestions::note(const ObservationBatch& batch) {
  for (const SocketObservation& socket : batch.changed) {
    if (socket.inode == 0) continue;
    std::uint32_t& asked = m_asked[socket.id];
    if (asked == socket.inode) continue;
    asked = socket.inode;
    m_waiting.owners.push_back({socket.id, socket.inode});
  }
  for (const ClosedSocket& closed : batch.closed) {
    if (m_asked.erase(closed.id) > 0) m_waiting.closed.push_back(closed.id);
  }
}

ProcessQuestions OwnerQuestions::take() {
  return std::exchange(m_waiting, {});
}

}  // namespace tcpscope
