#include "app/session/replay_session.h"

#include <system_error>
#include <utility>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

std::chrono::steady_clock::time_point steadyAt(Moment moment) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(moment.nanoseconds()));
}

CheckpointLimits limitsFor(const Replay& replay) {
  const CheckpointLimits most;
  return {replay.inProportion(most.ownBytes), replay.inProportion(most.historyBytes)};
}

}  // namespace

Expected<std::unique_ptr<ReplaySession>, SystemError> ReplaySession::open(std::span<const std::filesystem::path> paths,
                                                                          const SessionControl& control,
                                                                          PlaceId firstPlace,
                                                                          std::size_t checkpointSpacing) {
  auto replay = Replay::open(paths, control, firstPlace);
  if (!replay) return Unexpected<SystemError>(replay.error());
  // What comes through a pipe can be read once.
  auto ahead = openCursors((*replay)->canRewind() ? paths : paths.first(0), firstPlace);
  if (!ahead) return Unexpected<SystemError>(ahead.error());
  std::vector<RecordedPackets> packets;
  for (std::size_t number = 0; number < ahead->size(); ++number) {
    const PlaceId place{firstPlace.number + static_cast<std::uint32_t>(number)};
    RecordedPackets beside(paths[number], place, (*ahead)[number].hello().clock);
    if (beside.exists()) packets.push_back(std::move(beside));
  }
  std::unique_ptr<ReplaySession> session(
      new ReplaySession(std::move(*replay), control, checkpointSpacing, std::move(packets)));
  if (auto started = session->startThreads(std::move(*ahead)); !started) {
    return Unexpected<SystemError>(started.error());
  }
  return session;
}

ReplaySession::ReplaySession(std::unique_ptr<Replay> replay, const SessionControl& control,
                             std::size_t checkpointSpacing, std::vector<RecordedPackets> packets)
    : m_clock(replay->clock()),
      m_note(replay->note()),
      m_checkpoints(std::make_shared<ReplayCheckpoints>(checkpointSpacing, limitsFor(*replay))),
      m_player(std::move(replay), monotonicNow, control.listInterval),
      m_packets(std::move(packets)) {
  m_player.useCheckpoints(m_checkpoints);
  m_position = m_player.position();
  play();
}

Expected<void, SystemError> ReplaySession::startThreads(std::vector<RecordingCursor> ahead) {
  try {
    m_playing = std::jthread([this](const std::stop_token& stop) { run(stop); });
    m_ahead = std::jthread([this, cursors = std::move(ahead)](const std::stop_token& stop) mutable {
      lookAhead(std::move(cursors), stop);
    });
  } catch (const std::system_error& error) {
    return Unexpected<SystemError>({SystemAttempt::startThread, error.code().value(), {}});
  }
  return {};
}

ReplaySession::~ReplaySession() {
  m_playing.request_stop();
  m_ahead.request_stop();
}

void ReplaySession::order(ReplayOrder order) {
  {
    const std::lock_guard lock(m_mutex);
    // The position shows what was ordered, although the order still waits.
    m_position.expect(order);
    if (!m_order) m_order.emplace();
    m_order->add(std::move(order));
  }
  m_ordered.notify_one();
}

ReplayOrder ReplaySession::takeOrder(const std::stop_token& stop) {
  const std::optional<Moment> next = m_player.nextStep();
  const auto isOrdered = [this] { return m_order.has_value(); };
  std::unique_lock lock(m_mutex);
  if (next) {
    m_ordered.wait_until(lock, stop, steadyAt(*next), isOrdered);
  } else {
    m_ordered.wait(lock, stop, isOrdered);
  }
  return std::exchange(m_order, std::nullopt).value_or(ReplayOrder());
}

void ReplaySession::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    m_player.obey(takeOrder(stop));
    if (auto snapshot = m_player.step()) m_slot.store(withPackets(std::move(snapshot)));
    const std::lock_guard lock(m_mutex);
    m_position = m_player.position();
    if (m_order) m_position.expect(*m_order);
  }
}

std::shared_ptr<const SessionSnapshot> ReplaySession::withPackets(std::shared_ptr<const SessionSnapshot> snapshot) {
  if (m_packets.empty()) return snapshot;
  auto copy = std::make_shared<SessionSnapshot>(*snapshot);
  bool hasAdded = false;
  for (RecordedPackets& packets : m_packets) hasAdded = packets.addTo(*copy) || hasAdded;
  return hasAdded ? std::shared_ptr<const SessionSnapshot>(std::move(copy)) : snapshot;
}

void ReplaySession::lookAhead(std::vector<RecordingCursor> cursors, const std::stop_token& stop) {
  RecordingSurvey all{m_clock.monotonic, {}};
  for (RecordingCursor& cursor : cursors) all = together(std::move(all), tcpscope::survey(cursor, stop));
  if (cursors.empty() || stop.stop_requested()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_survey = std::make_shared<const RecordingSurvey>(std::move(all));
  }
  for (RecordingCursor& cursor : cursors) cursor.rewind();
  const auto twin = Replay::of(std::move(cursors), {});
  // A running recorder may have removed the oldest file meanwhile: then the recording begins elsewhere.
  if (twin->clock().monotonic != m_clock.monotonic) return;
  leaveCheckpoints(*twin, *m_checkpoints, stop);
}

ReplayPosition ReplaySession::position() const {
  const std::lock_guard lock(m_mutex);
  return m_position;
}

std::shared_ptr<const RecordingSurvey> ReplaySession::survey() const {
  const std::lock_guard lock(m_mutex);
  return m_survey;
}

Expected<std::unique_ptr<ReplaySession>, SystemError> openReplay(const std::filesystem::path& path,
                                                                 const SessionControl& control) {
  return ReplaySession::open(std::span(&path, 1), control, PlaceId{0});
}

}  // namespace tcpscope
