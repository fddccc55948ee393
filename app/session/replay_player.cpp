#include "app/session/replay_player.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tcpscope {

namespace {

/// Observations read at a go: some milliseconds of work.
constexpr std::size_t kSlice = 2048;
constexpr Moment kNeverReached = Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::max());

template <class Wish>
void replaceWhereSet(std::optional<Wish>& wish, std::optional<Wish>& newer) {
  if (newer) wish.swap(newer);
}

}  // namespace

void ReplayOrder::add(ReplayOrder newer) {
  replaceWhereSet(seek, newer.seek);
  replaceWhereSet(play, newer.play);
  replaceWhereSet(speed, newer.speed);
  replaceWhereSet(control, newer.control);
}

void ReplayPosition::expect(const ReplayOrder& order) {
  if (order.seek) at = *order.seek;
  isSeeking = isSeeking || order.seek;
  isPlaying = order.play.value_or(isPlaying);
  speed = order.speed.value_or(speed);
}

ReplayPlayer::ReplayPlayer(std::unique_ptr<Replay> replay, std::function<Moment()> now, Milliseconds listInterval)
    : m_replay(std::move(replay)), m_now(std::move(now)), m_clock(m_replay->clock().monotonic), m_pacer(listInterval) {
  m_pacer.noteNews();
}

void ReplayPlayer::obey(const ReplayOrder& order) {
  if (order.control) {
    m_replay->setControl(*order.control);
    m_pacer.setListInterval(order.control->listInterval);
    m_pacer.noteNews();
  }
  if (order.speed) m_clock.setSpeed(*order.speed, m_now());
  if (order.seek) seek(*order.seek);
  if (order.play) play(*order.play);
}

void ReplayPlayer::seek(Moment recorded) {
  m_target = std::max(recorded, m_replay->canRewind() ? m_replay->clock().monotonic : m_replay->upTo());
  if (*m_target < m_replay->upTo()) m_replay->rewind();
}

void ReplayPlayer::play(bool wanted) {
  if (!wanted) {
    m_clock.stop(m_now());
    // What is seen is what was known where it stands.
    if (!m_target) m_target = m_clock.at(m_now());
    return;
  }
  if (!m_target && m_replay->isAtEnd()) seek(m_replay->clock().monotonic);
  m_clock.start(m_now());
}

std::shared_ptr<const SessionSnapshot> ReplayPlayer::step() {
  m_steppedAt = m_now();
  readOn();
  const bool isDue = m_pacer.hasNews() || m_clock.isRunning();
  if (m_target || !isDue || m_steppedAt < m_pacer.due()) return nullptr;
  auto snapshot = m_replay->at(m_clock.at(m_steppedAt));
  m_pacer.published(m_steppedAt, m_now());
  return snapshot;
}

void ReplayPlayer::readOn() {
  if (m_target && !arrive()) return;
  if (m_clock.isRunning()) playOn();
}

bool ReplayPlayer::arrive() {
  if (!m_replay->readUntil(*m_target, kSlice, m_pacer)) return false;
  const bool isBeyond = m_replay->isAtEnd() && *m_target > m_replay->upTo();
  m_clock.put(isBeyond ? m_replay->upTo() : *m_target, m_steppedAt);
  m_target.reset();
  m_pacer.noteNews();
  return true;
}

void ReplayPlayer::playOn() {
  const bool isPaced = m_clock.speed().ratio.has_value();
  const Moment wanted = isPaced ? m_clock.at(m_steppedAt) : kNeverReached;
  m_isBehind = !m_replay->readUntil(wanted, kSlice, m_pacer);
  // Nothing is shown before it is read, and then the clock goes on from there.
  if (m_isBehind) m_clock.put(m_replay->upTo(), m_steppedAt);
  if (m_isBehind || !m_replay->isAtEnd()) return;
  m_clock.put(m_replay->upTo(), m_steppedAt);
  m_clock.stop(m_steppedAt);
  m_pacer.noteNews();
}

std::optional<Moment> ReplayPlayer::nextStep() const {
  if (m_target || (m_isBehind && m_clock.isRunning())) return m_steppedAt;
  if (m_clock.isRunning()) return std::min(m_steppedAt + PublishPacer::kShortestGap, m_pacer.due());
  if (m_pacer.hasNews()) return m_pacer.due();
  return std::nullopt;
}

ReplayPosition ReplayPlayer::position() const {
  return {m_target.value_or(m_clock.at(m_steppedAt)), m_clock.isRunning(), m_target.has_value(), m_clock.speed()};
}

}  // namespace tcpscope
