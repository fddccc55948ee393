// A session over recordings, played on a thread of its own. Views show what was seen during the recording, and the user
// may go to any moment of it.
//
// Calls return at once and may come from any thread. A second thread reads ahead and leaves checkpoints.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/session/recorded_packets.h"
#include "app/session/recording_survey.h"
#include "app/session/replay_player.h"
#include "app/session/snapshot_slot.h"
#include "core/session/session_port.h"

namespace tcpscope {

class ReplaySession final : public SessionPort {
public:
  /// `checkpointSpacing`: in observations, at first. Plays from the begin, at the speed at which it was made. Fails
  /// where a file cannot be read, or the system gives no thread.
  static Expected<std::unique_ptr<ReplaySession>, SystemError> open(
      std::span<const std::filesystem::path> paths, const SessionControl& control, PlaceId firstPlace,
      std::size_t checkpointSpacing = ReplayCheckpoints::kUsualSpacing);
  ~ReplaySession() override;

  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return m_slot.load(); }
  void setControl(const SessionControl& control) override { order({.control = control}); }

  /// At the end it starts over.
  void play() { order({.motion = ReplayMotion::forwards}); }
  /// At the begin it stands. What comes through a pipe has no way back.
  void playBack() { order({.motion = ReplayMotion::backwards}); }
  void pause() { order({.motion = ReplayMotion::stands}); }
  void setSpeed(ReplaySpeed speed) { order({.speed = speed}); }
  /// What lies beyond the end leads to the end. Plays on from there, or stands there.
  void seek(Moment recorded) { order({.seek = recorded}); }

  [[nodiscard]] ReplayPosition position() const;
  /// Where the recordings begin, on both clocks.
  [[nodiscard]] const ClockPair& clock() const { return m_clock; }
  /// As Replay::note().
  [[nodiscard]] const UntrustedText& note() const { return m_note; }
  /// Null until it is known.
  [[nodiscard]] std::shared_ptr<const RecordingSurvey> survey() const;
  [[nodiscard]] const ReplayCheckpoints& checkpoints() const { return *m_checkpoints; }

private:
  ReplaySession(std::unique_ptr<Replay> replay, const SessionControl& control, std::size_t checkpointSpacing,
                std::vector<RecordedPackets> packets);
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> withPackets(std::shared_ptr<const SessionSnapshot> snapshot);
  Expected<void, SystemError> startThreads(std::vector<RecordingCursor> ahead);
  void order(ReplayOrder order);
  ReplayOrder takeOrder(const std::stop_token& stop);
  void run(const std::stop_token& stop);
  void lookAhead(std::vector<RecordingCursor> cursors, const std::stop_token& stop);

  const ClockPair m_clock;
  const UntrustedText m_note;
  /// The second thread's work for the first.
  const std::shared_ptr<ReplayCheckpoints> m_checkpoints;
  /// The playing thread's.
  ReplayPlayer m_player;
  /// Of each recording that has some; the playing thread's, too.
  std::vector<RecordedPackets> m_packets;
  SnapshotSlot m_slot;

  mutable std::mutex m_mutex;
  std::condition_variable_any m_ordered;
  std::optional<ReplayOrder> m_order;
  ReplayPosition m_position;
  std::shared_ptr<const RecordingSurvey> m_survey;

  std::jthread m_ahead;
  std::jthread m_playing;
};

/// The recording as the one place of a session, from 0 on.
Expected<std::unique_ptr<ReplaySession>, SystemError> openReplay(const std::filesystem::path& path,
                                                                 const SessionControl& control);

}  // namespace tcpscope
