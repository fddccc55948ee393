#include "app/session/replay.h"

#include <algorithm>

#include "core/base/invariant.h"

namespace tcpscope {

Expected<std::unique_ptr<Replay>, SystemError> Replay::open(std::span<const std::filesystem::path> paths,
                                                            const SessionControl& control, PlaceId firstPlace) {
  TCPSCOPE_INVARIANT(!paths.empty());
  auto cursors = openCursors(paths, firstPlace);
  if (!cursors) return Unexpected<SystemError>(cursors.error());
  return of(std::move(*cursors), control);
}

std::unique_ptr<Replay> Replay::of(std::vector<RecordingCursor> cursors, const SessionControl& control) {
  return std::unique_ptr<Replay>(new Replay(std::move(cursors), control));
}

Replay::Replay(std::vector<RecordingCursor> cursors, const SessionControl& control)
    : m_cursors(std::move(cursors)), m_control(control) {
  const auto first = std::min_element(m_cursors.begin(), m_cursors.end(), [](const auto& one, const auto& other) {
    return one.hello().clock.monotonic < other.hello().clock.monotonic;
  });
  m_clock = first->hello().clock;
  restart();
}

void Replay::setControl(const SessionControl& control) {
  m_control = control;
  m_session->setControl(control);
}

std::size_t Replay::inProportion(std::size_t bytes) const {
  constexpr std::uint64_t kLeast = 24U << 20;
  constexpr std::uint64_t kTimesTheFiles = 8;
  std::uint64_t wanted = kLeast;
  for (const RecordingCursor& cursor : m_cursors) {
    const auto size = cursor.bytes();
    if (!size || wanted >= bytes) return bytes;
    wanted += std::min<std::uint64_t>(*size, bytes) * kTimesTheFiles;
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(wanted, bytes));
}

RecordingCursor* Replay::earliest() {
  RecordingCursor* found = nullptr;
  for (RecordingCursor& cursor : m_cursors) {
    const auto next = cursor.next();
    if (next && (found == nullptr || *next < *found->next())) found = &cursor;
  }
  return found;
}

bool Replay::readUntil(Moment recorded, std::size_t most, PublishPacer& pacer) {
  std::size_t read = 0;
  for (RecordingCursor* cursor = earliest(); cursor != nullptr; cursor = earliest()) {
    const Moment next = *cursor->next();
    if (next > recorded) return true;
    if (read >= most) return false;
    const ObservationBatch batch = cursor->take();
    m_upTo = std::max(m_upTo, next);
    m_session->accept(batch);
    pacer.note(batch);
    read += batch.changed.size() + 1;
  }
  return true;
}

bool Replay::canRewind() const {
  return std::all_of(m_cursors.begin(), m_cursors.end(), [](const auto& cursor) { return cursor.canRewind(); });
}

void Replay::goTowards(Moment recorded) {
  const bool isBefore = recorded < m_upTo;
  const auto checkpoint = m_checkpoints ? m_checkpoints->latest(recorded) : nullptr;
  if (checkpoint && (isBefore || checkpoint->upTo > m_upTo)) {
    goTo(*checkpoint);
  } else if (isBefore) {
    rewind();
  }
}

std::shared_ptr<const ReplayCheckpoint> Replay::checkpoint() const {
  ReplayCheckpoint here{m_upTo, {}, nullptr};
  for (const RecordingCursor& cursor : m_cursors) {
    auto position = cursor.position();
    if (!position) return nullptr;
    here.cursors.push_back(std::move(*position));
  }
  here.session = m_session->copy();
  return std::make_shared<const ReplayCheckpoint>(std::move(here));
}

void Replay::goTo(const ReplayCheckpoint& checkpoint) {
  for (std::size_t cursor = 0; cursor < m_cursors.size(); ++cursor) {
    if (m_cursors[cursor].goTo(checkpoint.cursors[cursor])) continue;
    // The recording may have lost a file meanwhile. To find that out once is enough.
    m_checkpoints.reset();
    return rewind();
  }
  m_upTo = checkpoint.upTo;
  m_session = checkpoint.session->copy();
  m_session->setControl(m_control);
}

void Replay::rewind() {
  for (RecordingCursor& cursor : m_cursors) cursor.rewind();
  restart();
}

void Replay::restart() {
  std::vector<Place> places;
  for (const RecordingCursor& cursor : m_cursors) places.push_back(cursor.hello().place);
  m_upTo = m_clock.monotonic;
  // One looks at any connection later.
  SessionBudget budget = forUntrustedPlace({});
  budget.keepsEveryHistory = true;
  budget.isReplay = true;
  budget.recordBytes = inProportion(budget.recordBytes);
  m_session = std::make_unique<AnalysisSession>(budget);
  m_session->setPlaces(std::move(places), m_clock);
  m_session->setControl(m_control);
}

void leaveCheckpoints(Replay& replay, ReplayCheckpoints& checkpoints, const std::stop_token& stop) {
  constexpr std::size_t kMostAtOnce = 1024;
  // The middle of a segment is soon over; a file without segments has no position to return to.
  constexpr int kMostTries = 64;
  PublishPacer isUnobserved(Milliseconds{0});
  std::size_t read = 0;
  for (int tries = 0; tries < kMostTries && !stop.stop_requested();) {
    const std::size_t slice = std::min(kMostAtOnce, checkpoints.spacing());
    if (replay.readUntil(kNeverReached, slice, isUnobserved)) return;
    read += slice;
    const CopyBytes bytes = replay.session().copyBytes();
    if (bytes.shared > checkpoints.limits().historyBytes || bytes.own > checkpoints.limits().ownBytes / 2) return;
    if (read < checkpoints.spacing()) continue;
    auto checkpoint = replay.checkpoint();
    tries = checkpoint ? 0 : tries + 1;
    read = checkpoint ? 0 : checkpoints.spacing() - slice;
    if (checkpoint) checkpoints.add(std::move(checkpoint));
  }
}

}  // namespace tcpscope
