#include "app/remote/bounded_answers.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tcpscope {

namespace {

/// Each query through a duplicated descriptor takes about 0.1 ms, as does reading a program of a few threads.
constexpr std::size_t kMostAtOnce = 32;
/// A program may set a buffer at any time, and the kernel sends no notification.
constexpr Nanoseconds kLockAge = std::chrono::seconds(5);
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
    known->second.locks.hasChanged = known->second.waits.hasChanged = true;
  }
  for (const ClosedSocket& closed : batch.closed) m_known.erase(closed.id);
}

void BoundedAnswers::forget(PlaceId place) {
  m_questions.forget(place);
  std::erase_if(m_known, [place](const auto& known) { return known.first.place == place; });
}

template <class Ask>
void BoundedAnswers::askLongestAgo(Round Known::*round, Nanoseconds age, Moment now, Ask ask) {
  std::vector<std::pair<const ConnectionId, Known>*> due;
  for (auto& entry : m_known) {
    const Round& last = entry.second.*round;
    if (last.hasChanged && now >= last.askedAt + age) due.push_back(&entry);
  }
  const auto askedEarlier = [round](const auto* one, const auto* other) {
    return (one->second.*round).askedAt < (other->second.*round).askedAt;
  };
  const auto end = due.begin() + static_cast<std::ptrdiff_t>(std::min(due.size(), kMostAtOnce));
  std::partial_sort(due.begin(), end, due.end(), askedEarlier);
  due.erase(end, due.end());
  for (auto* entry : due) {
    ask(entry->first, entry->second);
    entry->second.*round = {now, false};
  }
}

void BoundedAnswers::remember(const ObservationBatch& answers) {
  // A socket without a previous question is due at once, whatever the clock's zero is.
  const Moment longAgo = m_now() - kLockAge;
  for (const OwnerObservation& observed : answers.owners) {
    m_known[observed.id] = {m_questions.inodeOf(observed.id), observed.owner.pid, {longAgo}, {longAgo}};
  }
}

ObservationBatch BoundedAnswers::answer() {
  const Moment began = m_now();
  if (!m_answers || began < m_notBefore) return {};
  askLongestAgo(&Known::locks, kLockAge, began, [this](ConnectionId id, const Known& known) {
    m_questions.ask(LiveOptionsQuestion{id, known.inode, known.pid});
  });
  askLongestAgo(&Known::waits, kWaitsAge, began, [this](ConnectionId id, const Known& known) {
    m_questions.ask(WaitsQuestion{id, known.pid});
  });
  if (m_questions.empty()) return {};
  ObservationBatch answers = m_answers(m_questions.take(), {});
  remember(answers);
  const Moment ended = m_now();
  m_notBefore = ended + std::max<Nanoseconds>(kOwnerPause, (ended - began) * kPauses);
  return answers;
}

}  // namespace tcpscope
