// What part of the past the screen shows: run, stop, single, triggers, and moving through history while stopped.
//
// Running, the screen ends at the newest sample. A single acquisition ends when a whole screen has been seen
// since it was armed. Stopped, the screen stands still and can be moved, never beyond what is recorded: a replay that
// goes back takes it along.
//
// With a trigger the screen runs until it fires and the part behind it is recorded. Then it stands still with the
// moment in its place: until the next one does (normal), until there is none for a while (automatic), or for good
// (single).
#pragma once

#include <cstdint>
#include <optional>

#include "ui/feed/selection.h"
#include "ui/plots/time_base.h"

namespace tcpscope {

enum class AcquisitionState : std::uint8_t { running, single, stopped };

enum class TriggerMode : std::uint8_t { automatic, normal, single };

struct TriggerSettings {
  TriggerMode mode = TriggerMode::normal;
  /// Of the screen, before the trigger; 0…1.
  double preTriggerRatio = 0.5;
  /// From one trigger to the next at least.
  Nanoseconds holdOff{0};
  bool operator==(const TriggerSettings&) const = default;
};

class Acquisition {
public:
  [[nodiscard]] AcquisitionState state() const { return m_state; }
  [[nodiscard]] const TimeBase& timeBase() const { return m_timeBase; }
  /// What is recorded; absent before the first sample.
  [[nodiscard]] const std::optional<TimeSpan>& recorded() const { return m_recorded; }

  /// The newest state of the record. Ends a single acquisition whose screen is full.
  void setRecorded(TimeSpan recorded);
  /// Another connection: nothing is recorded yet, and the instrument runs. One that waits for a single trigger goes on
  /// waiting.
  void reset();

  void run();
  void stop();
  /// With a trigger: stops at the next one, whatever its mode.
  void single();
  /// Runs, and waits for a trigger. Without settings it waits for none, and a stopped screen stays.
  void arm(const std::optional<TriggerSettings>& settings);
  [[nodiscard]] const std::optional<TriggerSettings>& trigger() const { return m_trigger; }
  /// It fired, within what is recorded. One that fires while the screen of another is not complete, or within the
  /// hold-off, changes nothing: false.
  bool triggerAt(Moment moment);
  /// Time goes on, also where nothing more is recorded because the connection has ended: a trigger whose screen has
  /// passed is complete.
  void passTime(Moment now);
  /// It stops at the next trigger, in whatever mode.
  [[nodiscard]] bool stopsAtTrigger() const {
    return m_trigger && (m_isOnce || m_trigger->mode == TriggerMode::single);
  }
  /// The one that has a place on the screen.
  [[nodiscard]] std::optional<Moment> triggered() const;
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
  /// The right edge of a screen that has this trigger in its place.
  [[nodiscard]] Moment endOf(Moment trigger) const;
  void completeTriggered();
  void hold();
  void forgetTriggers();
  void zoomAt(Moment anchor, Nanoseconds spanBefore);
  void clampEnd();

  AcquisitionState m_state = AcquisitionState::running;
  TimeBase m_timeBase;
  std::optional<TimeSpan> m_recorded;
  /// Right edge of a stopped screen.
  Moment m_stoppedEnd;
  /// Newest sample when a single acquisition was armed; absent until the first sample after arming.
  std::optional<Moment> m_armedAt;
  std::optional<TriggerSettings> m_trigger;
  /// One whose screen is not complete.
  std::optional<Moment> m_pending;
  /// The one that the screen shows while it runs.
  std::optional<Moment> m_held;
  std::optional<Moment> m_heldOffUntil;
  /// Stops at the next trigger.
  bool m_isOnce = false;
};

}  // namespace tcpscope
