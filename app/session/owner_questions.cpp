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

void OwnerQuestions::forget(PlaceId place) {
  std::erase_if(m_owners, [place](const auto& asked) { return asked.first.place == place; });
  std::erase_if(m_asked, [this, place](const auto& asked) {
    if (asked.first.place != place) return false;
    m_waiting.closed.push_back(asked.first);
    return true;
  });
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
