// The door to a recording that is played: play, stand, go to a moment, look where it is. All calls return at once and
// come from the GUI thread; where nothing is played they do nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"

namespace tcpscope {

/// Something that happened in the recording.
struct ReplayMark {
  Moment time;
  /// One line, escaped.
  std::string text;

  bool operator==(const ReplayMark&) const = default;
};

struct ReplayState {
  bool isPlaying = false;
  /// While it plays.
  bool isBackwards = false;
  /// What is at `at` is still being read.
  bool isSeeking = false;
  /// Seconds of the recording in a second; without one as many as can be read, or backwards sixty.
  std::optional<double> speedRatio = 1.0;
  /// Where the recording begins, on both clocks.
  ClockPair clock;
  /// What is shown, or will be as soon as it is read.
  Moment at;
  /// Absent until it is known.
  std::optional<Moment> end;
  /// In order of time.
  std::vector<ReplayMark> marks;
};

class ReplayPort {
public:
  ReplayPort() = default;
  ReplayPort(const ReplayPort&) = delete;
  ReplayPort& operator=(const ReplayPort&) = delete;
  virtual ~ReplayPort() = default;

  /// From the begin where it stands at the end.
  virtual void play() = 0;
  /// To the begin, where it stands.
  virtual void playBack() = 0;
  virtual void pause() = 0;
  /// Absent for as fast as it goes.
  virtual void setSpeed(std::optional<double> ratio) = 0;
  /// What lies beyond the end leads there. Whether it plays stays as it is.
  virtual void seek(Moment moment) = 0;
  /// Nothing where no recording is shown.
  [[nodiscard]] virtual std::optional<ReplayState> state() = 0;
};

}  // namespace tcpscope
