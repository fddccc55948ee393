// Plays a recording, forwards or backwards: advances it with real time and carries out orders. Time is passed in; the
// thread that owns the player calls step() as often as nextStep() says.
//
// Work is done in slices of some milliseconds, beside the copy of a checkpoint, so that an order never waits for long.
#pragma once

#include <functional>

#include "app/session/replay.h"
#include "app/session/replay_clock.h"

namespace tcpscope {

/// An order of the user; what is not set stays as it is.
struct ReplayOrder {
  std::optional<Moment> seek{};
  std::optional<ReplayMotion> motion{};
  std::optional<ReplaySpeed> speed{};
  std::optional<SessionControl> control{};

  /// A newer order of a kind replaces the waiting one.
  void add(ReplayOrder newer);
};

struct ReplayPosition {
  /// What is shown, or will be as soon as it is read.
  Moment at;
  ReplayMotion motion = ReplayMotion::stands;
  /// Reading has not come that far yet.
  bool isSeeking = false;
  ReplaySpeed speed;

  /// The position after the order is carried out.
  void expect(const ReplayOrder& order);
};

class ReplayPlayer {
public:
  /// Starts at the beginning. `now` is this host's CLOCK_MONOTONIC.
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
  /// The moment to seek to.
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
