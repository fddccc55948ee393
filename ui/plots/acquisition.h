// What part of the past the screen shows: run, stop, single, and moving through history while stopped.
//
// Running, the screen ends at the newest sample. A single acquisition ends when a whole screen has been seen
// since it was armed. Stopped, the screen stands still and can be moved, never beyond what is recorded: a replay that
// goes back takes it along.
#pragma once

#include <cstdint>
#include <optional>

#include "ui/feed/selection.h"
#include "ui/plots/time_base.h"

namespace tcpscope {

enum class AcquisitionState : std::uint8_t { running, single, stopped };

class Acquisition {
public:
  [[nodiscard]] AcquisitionState state() const { return m_state; }
  [[nodiscard]] const TimeBase& timeBase() const { return m_timeBase; }
  /// What is recorded; absent before the first sample.
  [[nodiscard]] const std::optional<TimeSpan>& recorded() const { return m_recorded; }

  /// The newest state of the record. Ends a single acquisition whose screen is full.
  void setRecorded(TimeSpan recorded);
  /// Another connection: nothing is recorded yet, and the instrument runs.
  void reset();

  void run();
  void stop();
  void single();
  /// Run becomes stop and the other way round.
  void toggle();

  /// Each keeps the right edge while running and the middle of the screen while stopped.
  void setTimeBase(TimeBase timeBase);
  /// Zooms by one step so that `anchor` keeps its place on the screen; stops nothing. False at the last step.
  bool zoomInAt(Moment anchor);
  bool zoomOutAt(Moment anchor);
  /// Moves a stopped screen, positive towards the newest sample. A running one is stopped first.
  void pan(Nanoseconds by);
  /// Shows the span's middle, stopped.
  void showAround(Moment moment);

  /// The time on the screen; absent before the first sample.
  [[nodiscard]] std::optional<TimeSpan> screen() const;

private:
  void zoomAt(Moment anchor, Nanoseconds spanBefore);
  void clampEnd();

  AcquisitionState m_state = AcquisitionState::running;
  TimeBase m_timeBase;
  std::optional<TimeSpan> m_recorded;
  /// Right edge of a stopped screen.
  Moment m_stoppedEnd;
  /// Newest sample when a single acquisition was armed; absent until the first sample after arming.
  std::optional<Moment> m_armedAt;
};

}  // namespace tcpscope
