// Plays a recording, forwards or backwards: what a second of whoever looks brings, and what they order. Time is passed
// in; whoever has a thread calls step() as often as nextStep() says.
//
// Work is done in slices of some milliseconds, beside the copy of a checkpoint, so that an order never waits for long.
#pragma once

#include <functional>

#include "app/session/replay.h"
#include "app/session/replay_clock.h"

namespace tcpscope {

/// What somebody wants; what is not set stays as it is.
struct ReplayOrder {
  std::optional<Moment> seek{};
  std::optional<ReplayMotion> motion{};
  std::optional<ReplaySpeed> speed{};
  std::optional<SessionControl> control{};

  /// A newer wish of a kind replaces the one that waits.
  void add(ReplayOrder newer);
};

struct ReplayPosition {
  /// What is shown, or will be as soon as it is read.
  Moment at;
  ReplayMotion motion = ReplayMotion::stands;
  /// Reading has not come that far yet.
  bool isSeeking = false;
  ReplaySpeed speed;

  /// What becomes of it when the order is carried out.
  void expect(const ReplayOrder& order);
};

class ReplayPlayer {
public:
  /// Stands at the begin. `now` is CLOCK_MONOTONIC of whoever looks.
  ReplayPlayer(std::unique_ptr<Replay> replay, std::function<Moment()> now, Milliseconds listInterval);

  void obey(const ReplayOrder& order);
  /// Reads on; the new picture where there is one, else null.
  std::shared_ptr<const SessionSnapshot> step();
  /// When step() has something to do; nothing where it waits for an order.
  [[nodiscard]] std::optional<Moment> nextStep() const;

  void useCheckpoints(std::shared_ptr<const ReplayCheckpoints> checkpoints) {
    m_replay->useCheckpoints(std::move(checkpoints));
  }
  [[nodiscard]] ReplayPosition position() const;
  [[nodiscard]] const Replay& replay() const { return *m_replay; }

private:
  void seek(Moment recorded);
  void move(ReplayMotion wanted);
  /// The moment of a new picture; nothing where there is none.
  std::optional<Moment> readOn();
  /// False while reading has not come there.
  bool arrive();
  void playOn();
  std::optional<Moment> playBack();

  std::unique_ptr<Replay> m_replay;
  std::function<Moment()> m_now;
  ReplayClock m_clock;
  PublishPacer m_pacer;
  /// Where somebody wants to be.
  std::optional<Moment> m_target;
  /// What comes next while it plays backwards.
  std::optional<Moment> m_backTo;
  /// When reading towards the next picture began.
  Moment m_backSince;
  /// Reading does not keep up with the clock.
  bool m_isBehind = false;
  Moment m_steppedAt;
};

}  // namespace tcpscope
