// When a sender waited for what: its waits in steps of equal length, which double once there are too many, so that a
// transfer of any length takes 4 KB at most and silence next to nothing.
//
// Shown, now and then, all waits that are named so far, it puts what is new behind what it has. A wait gets its name
// when it ends, so that the order between two polls is not kept: steps are as sharp as polls are frequent. Shares are
// kept in parts of 65,535.
#pragma once

#include <vector>

#include "core/base/moment.h"
#include "core/wire/waits/sender_wait.h"

namespace tcpscope {

/// A stretch of time with what was waited for in it, and what the path looked like.
struct WaitStep {
  Moment from;
  Moment to;
  SenderWaits waits;
  /// Sums over the polls of this time with a known RTT.
  double rttUs = 0.0;
  double inFlightBytes = 0.0;
  std::uint32_t polls = 0;

  /// Takes in the step that follows.
  void join(const WaitStep& next);
};

class WaitTimeline {
public:
  static constexpr std::size_t kMostSteps = 128;

  /// `soFar`: all waits of the sender that have a name; never less than before.
  void advance(const SenderWaits& soFar);
  /// What a look at the path saw just now.
  void observe(double rttUs, double inFlightBytes);

  /// All steps; the first begins at `start`.
  [[nodiscard]] std::vector<WaitStep> steps(Moment start) const;
  [[nodiscard]] std::size_t residentBytes() const { return sizeof(WaitTimeline) + m_runs.capacity() * sizeof(Run); }

private:
  struct Run {
    std::array<std::uint16_t, kSenderWaitCount> parts{};
    /// Of the same, one after the other; more than one where no look was taken.
    std::uint16_t count = 1;
    std::uint16_t polls = 0;
    float rttUs = 0.0F;
    float inFlightBytes = 0.0F;
  };
  void add(SenderWait wait, Nanoseconds span);
  void closeStep();
  void append(const Run& run);
  void doubleLength();

  /// Small enough to show a pause within a second of sending.
  Nanoseconds m_length{1 << 25};
  std::vector<Run> m_runs;
  std::size_t m_count = 0;
  SenderWaits m_seen;
  SenderWaits m_open;
  Nanoseconds m_openSpan{0};
  Run m_openRun;
};

}  // namespace tcpscope
