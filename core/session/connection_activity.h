// What one connection did lately: a sliding window of statistics, the rates of the last step, a sparkline.
//
// The window is the sum of two halves, so that it looks back over between one and two halves of its length and costs
// the same however many samples fall into it. A connection that has been silent for a whole window needs no activity.
#pragma once

#include <algorithm>
#include <array>

#include "core/base/value_pointer.h"
#include "core/diagnosis/evidence/window_statistics.h"
#include "core/model/interval_metrics.h"
#include "core/session/older_figures.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class ConnectionActivity {
public:
  ConnectionActivity(Moment start, Nanoseconds halfWindow);
  /// For another connection; keeps the memory.
  void restart(Moment start, Nanoseconds halfWindow);

  /// Takes in the step between two looks at the socket. Where it is known how long the socket was seen unchanged since
  /// the first of them, that part counts as silence and the rest carries the change.
  void step(const SocketObservation& before, const SocketObservation& now, std::optional<Moment> unchangedUntil = {});
  /// The socket was seen unchanged up to `until`.
  void silentUntil(const SocketObservation& socket, Moment until);

  [[nodiscard]] WindowStatistics window() const;
  /// Has the part of window() loaded into the cache that lies elsewhere.
  void prefetchPrevious() const;
  /// Loss events (core/diagnosis/window_statistics.h) since the last call.
  [[nodiscard]] std::uint32_t takeLossEvents();
  /// Rates of the last step; silence makes them zero, not unknown.
  [[nodiscard]] const IntervalMetrics& interval() const { return m_interval; }
  [[nodiscard]] Moment upTo() const { return m_upTo; }
  /// When the picture of a silent connection changes although nothing happens: something that happened drops out of
  /// the window. Where all of it lies in the current half, more silence adds nothing that is worth the work.
  [[nodiscard]] Moment changesAt() const {
    return m_stepsInPrevious > 0 ? halfEndsAt() : std::max(halfEndsAt(), m_upTo + m_halfWindow);
  }
  /// The last step was silence.
  [[nodiscard]] bool endedSilent() const { return m_endedSilent; }
  /// Nothing happened in the whole window.
  [[nodiscard]] bool settled() const { return m_stepsInCurrent == 0 && m_stepsInPrevious == 0; }
  /// Would it be settled after silentUntil(until)?
  [[nodiscard]] bool settlesBy(Moment until) const {
    if (until >= halfEndsAt() + m_halfWindow || settled()) return true;
    const bool inOneHalf = m_stepsInPrevious == 0 || m_stepsInCurrent == 0;
    return m_endedSilent && inOneHalf && until >= changesAt();
  }

  /// Memory that it takes.
  [[nodiscard]] std::size_t bytes() const;

  /// Encodes the rates of the last window into the figures, newest last; each point is an equal span of time.
  void drawSparkline(ConnectionFigures& figures) const;

private:
  [[nodiscard]] Moment halfEndsAt() const { return m_halfFrom + m_halfWindow; }
  void addSilence(const SocketObservation& socket, Moment until);
  void addChange(const SocketObservation& before, const SocketObservation& now);
  void turnHalves(Moment now);
  void remember(const WindowStatistics& part);
  /// Moves m_upTo on.
  void recordRate(float rate, Moment upTo);
  [[nodiscard]] std::int64_t sparklinePointOf(Moment time) const;

  // What every dump asks for comes first: it shares a cache line.
  Moment m_upTo;
  /// Of m_current.
  Moment m_halfFrom;
  Nanoseconds m_halfWindow;
  std::uint32_t m_stepsInPrevious = 0;
  std::uint32_t m_stepsInCurrent = 0;
  std::uint32_t m_lossEventsNotTaken = 0;
  bool m_endedSilent = false;
  /// The half before the current one is known, and has samples.
  bool m_hasPrevious = false;
  /// Null before the first half has ended: most connections that are active are so for a moment. Kept once
  /// allocated, as the next half would need it again; meant only where `m_hasPrevious`.
  ValuePointer<WindowStatistics> m_previous;
  ChronographCarry m_carry;
  IntervalMetrics m_interval;
  std::array<float, kSparklinePoints> m_rates{};
  WindowStatistics m_current;
  /// Null where there was nothing to remember yet.
  ValuePointer<OlderFigures> m_older;
};

/// With all that it may hold elsewhere: its earlier half, older figures, and the losses of each of these.
inline constexpr std::size_t kMostActivityBytes =
    sizeof(ConnectionActivity) + sizeof(WindowStatistics) + sizeof(OlderFigures) + 4 * sizeof(LossEventFigures);

}  // namespace tcpscope
