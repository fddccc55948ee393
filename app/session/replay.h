// Recordings that were made at the same time, read into an analysis up to a given moment: without a thread or a clock.
//
// A moment shows the same however it was reached: reading goes forward only, and going back starts over or continues
// from a checkpoint. The restated frames in the middle of a recording (collectors/trace) are not enough: they lack the
// statistics behind a verdict, the age of a connection and its history.
#pragma once

#include <filesystem>
#include <limits>
#include <span>
#include <stop_token>

#include "app/session/publish_pacer.h"
#include "app/session/replay_checkpoints.h"

namespace tcpscope {

/// A moment behind every recording's end.
inline constexpr Moment kNeverReached = Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::max());

class Replay {
public:
  /// Each recording is a place, numbered from `firstPlace` on. Moments of all are taken to be of one clock: those of
  /// another boot are shown at the wrong time.
  static Expected<std::unique_ptr<Replay>, SystemError> open(std::span<const std::filesystem::path> paths,
                                                             const SessionControl& control, PlaceId firstPlace);

  /// Each where it begins.
  static std::unique_ptr<Replay> of(std::vector<RecordingCursor> cursors, const SessionControl& control);

  /// Where the recordings begin, on both clocks.
  [[nodiscard]] const ClockPair& clock() const { return m_clock; }
  /// Of the first of them; empty for nothing.
  [[nodiscard]] UntrustedText note() const { return m_cursors.front().note(); }
  /// The latest moment that something was read of.
  [[nodiscard]] Moment upTo() const { return m_upTo; }
  /// Nothing more comes.
  bool isAtEnd() { return earliest() == nullptr; }
  void setControl(const SessionControl& control);
  /// A limit of memory in proportion to the recordings' size, at most `bytes`: a few bytes of a crafted file would else
  /// cost as much as a day of a busy host. A sample takes about the same in a file and in a history.
  [[nodiscard]] std::size_t inProportion(std::size_t bytes) const;

  /// Reads what was known up to that moment, and notes what people want to see; false where more of it is left to read
  /// after `most` observations.
  bool readUntil(Moment recorded, std::size_t most, PublishPacer& pacer);
  /// What was read of a pipe is gone.
  [[nodiscard]] bool canRewind() const;
  /// To where reading on soonest leads to that moment: where it is, at a checkpoint, or at the begin.
  void goTowards(Moment recorded);
  /// Those of another replay of the same recordings.
  void useCheckpoints(std::shared_ptr<const ReplayCheckpoints> checkpoints) { m_checkpoints = std::move(checkpoints); }
  /// What is known now, to come back to; null where one cannot just here.
  [[nodiscard]] std::shared_ptr<const ReplayCheckpoint> checkpoint() const;
  /// What was known at that moment, where it was read up to there.
  std::shared_ptr<const SessionSnapshot> at(Moment recorded) { return m_session->tick(recorded); }
  [[nodiscard]] const AnalysisSession& session() const { return *m_session; }

private:
  Replay(std::vector<RecordingCursor> cursors, const SessionControl& control);
  void restart();
  /// Nothing is known any more: next comes what came first.
  void rewind();
  void goTo(const ReplayCheckpoint& checkpoint);
  /// What has the next batch; null at the end.
  RecordingCursor* earliest();

  std::vector<RecordingCursor> m_cursors;
  ClockPair m_clock;
  SessionControl m_control;
  std::unique_ptr<AnalysisSession> m_session;
  Moment m_upTo;
  /// Null where there are none.
  std::shared_ptr<const ReplayCheckpoints> m_checkpoints;
};

/// Reads on to the end and leaves checkpoints on the way. It ends early where histories take more than they may, two
/// copies would take more than checkpoints may, there is nowhere to come back to, or a stop comes.
void leaveCheckpoints(Replay& replay, ReplayCheckpoints& checkpoints, const std::stop_token& stop);

}  // namespace tcpscope
