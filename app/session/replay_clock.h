// The time of a recording that is played: it runs at any speed, forwards or backwards, stands, and is put to any
// moment. Time is passed in.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/moment.h"

namespace tcpscope {

/// How many seconds of the recording pass in a second of real time; without a ratio as many as can be read.
struct ReplaySpeed {
  std::optional<double> ratio = 1.0;

  bool operator==(const ReplaySpeed&) const = default;
};

enum class ReplayMotion : std::uint8_t { stands, forwards, backwards };

class ReplayClock {
public:
  /// Backwards nothing is read faster than forwards: the speed of what has no ratio there.
  static constexpr double kFastestBackRatio = 60.0;

  /// Stands there, until it is started.
  explicit ReplayClock(Moment recorded) : m_recorded(recorded) {}

  /// The moment of the recording that is shown `now`; forwards without a ratio the one that it was put to last.
  [[nodiscard]] Moment at(Moment now) const {
    const std::chrono::duration<double, std::nano> passed = now - m_since;
    if (m_motion == ReplayMotion::backwards) return m_recorded - passed * m_speed.ratio.value_or(kFastestBackRatio);
    if (m_motion == ReplayMotion::stands || !m_speed.ratio) return m_recorded;
    return m_recorded + passed * *m_speed.ratio;
  }
  [[nodiscard]] ReplayMotion motion() const { return m_motion; }
  [[nodiscard]] ReplaySpeed speed() const { return m_speed; }

  void move(ReplayMotion motion, Moment now) {
    put(at(now), now);
    m_motion = motion;
  }
  void setSpeed(ReplaySpeed speed, Moment now) {
    put(at(now), now);
    m_speed = speed;
  }
  void put(Moment recorded, Moment now) {
    m_recorded = recorded;
    m_since = now;
  }

private:
  ReplaySpeed m_speed;
  ReplayMotion m_motion = ReplayMotion::stands;
  /// What was shown at m_since, or is while the clock stands.
  Moment m_recorded;
  Moment m_since;
};

}  // namespace tcpscope
