// One picture of the instrument: what is on the screen, finished, so that painting it only maps numbers to pixels.
#pragma once

#include <QString>
#include <vector>

#include "ui/plots/cursor_pair.h"
#include "ui/plots/event_marks.h"
#include "ui/plots/trace_samples.h"
#include "ui/plots/vertical_scale.h"

namespace tcpscope {

struct FrameTrace {
  /// Shown at the line's end.
  QString label;
  MetricUnit unit = MetricUnit::none;
  VerticalScale scale{MetricUnit::none};
  /// Number of the pair of colour and line style (ui/theme).
  int style = 0;
  TraceSamples samples;
  /// Where its trigger waits, in the metric's base unit.
  std::optional<double> triggerLevel{};
  /// Which of the frame's bands it lies in.
  std::size_t band = 0;
};

struct TraceFrame {
  TimeSpan screen;
  Milliseconds perDivision{0};
  /// The moment that the time axis calls 0.
  Moment reference;
  /// Wall time of `reference`, for the corner; empty where it is not known.
  QString referenceText;
  /// Where given, the time axis is labelled with local wall-clock time instead.
  std::optional<ClockPair> wallClock{};
  std::vector<FrameTrace> traces;
  /// Of their lines, in pixels.
  int lineWidth = 1;
  /// Kept earlier, drawn in grey behind the traces; their styles say which line they repeat.
  std::vector<FrameTrace> references{};
  /// Names of the bands into which the screen is divided, from top to bottom; none, or a single one as a caption, where
  /// all traces share it.
  std::vector<QString> bands{};
  /// The trace whose values the left axis shows; none where it is not below traces.size().
  std::size_t selected = 0;
  std::vector<EventMark> marks;
  /// What exactly was changed, for the marks of it; those off the screen, too.
  std::vector<ChangeMark> changes;
  /// Of the drops and retransmissions on the screen.
  std::vector<ReportedLoss> losses;
  CursorPair cursors;
  /// Marked on the screen.
  std::optional<Moment> trigger{};
  /// Shown in the middle of the screen: why there is nothing to see.
  QString message;
};

}  // namespace tcpscope
