#include "app/remote/bounded_answers.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Each query through a duplicated descriptor takes about 0.1 ms.
constexpr std::size_t kLocksAtOnce = 32;
/// A program may set a buffer at any time, and the kernel sends no notification.
constexpr Nanoseconds kLockAge = std::chrono::seconds(5);
constexpr std::size_t kWaitsAtOnce = 32;
constexpr Nanoseconds kWaitsAge = std::chrono::milliseconds(900);
constexpr Nanoseconds kOwnerPause = std::chrono::milliseconds(200);
/// A lookup is followed by a pause of this many times its duration: unnoticeable on hosts with few sockets.
constexpr int kPauses = 100;

}  // namespace

void BoundedAnswers::note(const ObservationBatch& batch) {
  m_questions.note(batch);
  for (const SocketObservation& socket : batch.changed) {
    const auto known = m_known.find(socket.id);
    if (known == m_known.end()) continue;
    known->second.inode = socket.inode;
    known->second.hasChanged = true;
    known->second.mayWait = true;
  }
  for (const ClosedSocket& closed : batch.closed) m_known.erase(closed.id);
}

void BoundedAnswers::askForLocks(Moment now) {
  std::size_t asked = 0;
  for (auto& [id, known] : m_known) {
    if (asked >= kLocksAtOnce) break;
    if (!known.hasChanged || now < known.locksAskedAt + kLockAge) continue;
    m_questions.ask(LiveOptionsQuestion{id, known.inode, known.pid});
    known.locksAskedAt = now;
    known.hasChanged = false;
    ++asked;
  }
}

void BoundedAnswers::askForWaits(Moment now) {
  std::size_t asked = 0;
  for (auto& [id, known] : m_known) {
    if (asked >= kWaitsAtOnce) break;
    if (!known.mayWait || now < known.waitsAskedAt + kWaitsAge) continue;
    m_questions.ask(WaitsQuestion{id, known.pid});
    known.waitsAskedAt = now;
    known.mayWait = false;
    ++asked;
  }
}

void BoundedAnswers::remember(const ObservationBatch& answers) {
  // A socket without a previous question is due at once, whatever the clock's zero is.
  const Moment longAgo = m_now() - kLockAge;
  for (const OwnerObservation& observed : answers.owners) {
    m_known[observed.id] = {m_questions.inodeOf(observed.id), observed.owner.pid, longAgo, longAgo};
  }
}

ObservationBatch BoundedAnswers::answer() {
  const Moment began = m_now();
  if (!m_answers || began < m_notBefore) return {};
  askForLocks(began);
  askForWaits(began);
  if (m_questions.empty()) return {};
  ObservationBatch answers = m_answers(m_questions.take(), {});
  remember(answers);
  const Moment ended = m_now();
  m_notBefore = ended + std::max<Nanoseconds>(kOwnerPause, (ended - began) * kPauses);
  return answers;
}

}  // namespace tcpscope
