#include "app/session/replay_player.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

namespace {

/// Observations read at a go: some milliseconds of work.
constexpr std::size_t kSlice = 2048;

template <class Request>
void replaceWhereSet(std::optional<Request>& request, std::optional<Request>& newer) {
  if (newer) request.swap(newer);
}

}  // namespace

void ReplayOrder::add(ReplayOrder newer) {
  replaceWhereSet(seek, newer.seek);
  replaceWhereSet(motion, newer.motion);
  replaceWhereSet(speed, newer.speed);
  replaceWhereSet(control, newer.control);
}

void ReplayPosition::expect(const ReplayOrder& order) {
  if (order.seek) at = *order.seek;
  isSeeking = isSeeking || order.seek;
  motion = order.motion.value_or(motion);
  speed = order.speed.value_or(speed);
}

ReplayPlayer::ReplayPlayer(std::unique_ptr<Replay> replay, std::function<Moment()> now, Milliseconds listInterval)
    : m_replay(std::move(replay)), m_now(std::move(now)), m_clock(m_replay->clock().monotonic), m_pacer(listInterval) {
  m_pacer.noteNews();
}

void ReplayPlayer::obey(const ReplayOrder& order) {
  m_pacer.hurry();
  if (order.control) {
    m_replay->setControl(*order.control);
    m_pacer.setListInterval(order.control->listInterval);
    m_pacer.noteNews();
  }
  if (order.speed) m_clock.setSpeed(*order.speed, m_now());
  if (order.seek) seek(*order.seek);
  if (order.motion) move(*order.motion);
}

void ReplayPlayer::seek(Moment recorded) {
  m_target = std::max(recorded, m_replay->canRewind() ? m_replay->clock().monotonic : m_replay->upTo());
  m_backTo.reset();
  m_replay->goTowards(*m_target);
}

void ReplayPlayer::move(ReplayMotion wanted) {
  if (wanted == ReplayMotion::backwards && !m_replay->canRewind()) return;
  const bool isAtEnd = !m_target && m_replay->isAtEnd() && m_clock.at(m_now()) >= m_replay->upTo();
  if (wanted == ReplayMotion::forwards && isAtEnd) {
    seek(m_replay->clock().monotonic);
  } else if (!m_target && (wanted == ReplayMotion::stands || m_clock.motion() == ReplayMotion::backwards)) {
    // What is seen is what was known where it stands, or turns.
    seek(m_clock.at(m_now()));
  }
  m_clock.move(wanted, m_now());
  m_pacer.noteNews();
}

std::shared_ptr<const SessionSnapshot> ReplayPlayer::step() {
  m_steppedAt = m_now();
  const std::optional<Moment> moment = readOn();
  if (!moment) return nullptr;
  const Moment began = m_clock.motion() == ReplayMotion::backwards ? m_backSince : m_steppedAt;
  auto snapshot = m_replay->at(*moment);
  m_pacer.published(began, m_now());
  if (m_clock.motion() == ReplayMotion::backwards) m_pacer.noteNews();
  return snapshot;
}

std::optional<Moment> ReplayPlayer::readOn() {
  if (m_target && !arrive()) return std::nullopt;
  if (m_clock.motion() == ReplayMotion::backwards) return playBack();
  if (m_clock.motion() == ReplayMotion::forwards) playOn();
  const bool isWanted = m_pacer.hasNews() || m_clock.motion() == ReplayMotion::forwards;
  return isWanted && m_steppedAt >= m_pacer.due() ? std::optional(m_clock.at(m_steppedAt)) : std::nullopt;
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
  m_clock.move(ReplayMotion::stands, m_steppedAt);
  m_pacer.noteNews();
}

/// One picture after the other is sought. The clock goes on meanwhile: where reading takes long they are few.
std::optional<Moment> ReplayPlayer::playBack() {
  const Moment begin = m_replay->clock().monotonic;
  if (!m_backTo) {
    if (m_steppedAt < m_pacer.due()) return std::nullopt;
    m_backTo = std::max(begin, m_clock.at(m_steppedAt));
    m_backSince = m_steppedAt;
    m_replay->goTowards(*m_backTo);
  }
  if (!m_replay->readUntil(*m_backTo, kSlice, m_pacer)) return std::nullopt;
  if (*m_backTo == begin) {
    m_clock.put(begin, m_steppedAt);
    m_clock.move(ReplayMotion::stands, m_steppedAt);
  }
  return std::exchange(m_backTo, std::nullopt);
}

std::optional<Moment> ReplayPlayer::nextStep() const {
  const ReplayMotion motion = m_clock.motion();
  if (m_target || m_backTo || (m_isBehind && motion == ReplayMotion::forwards)) return m_steppedAt;
  if (motion == ReplayMotion::forwards) return std::min(m_steppedAt + PublishPacer::kShortestGap, m_pacer.due());
  if (m_pacer.hasNews()) return m_pacer.due();
  return std::nullopt;
}

ReplayPosition ReplayPlayer::position() const {
  const Moment at = std::max(m_clock.at(m_steppedAt), m_replay->clock().monotonic);
  return {m_target.value_or(at), m_clock.motion(), m_target.has_value(), m_clock.speed()};
}

}  // namespace tcpscope
