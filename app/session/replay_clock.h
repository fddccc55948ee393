// The time of a recording that is played: it runs at any speed, stands, and is put to any moment. Time is passed in.
#pragma once

#include <optional>

#include "core/base/moment.h"

namespace tcpscope {

/// How many seconds of the recording pass in one of whoever looks; without a ratio as many as can be read.
struct ReplaySpeed {
  std::optional<double> ratio = 1.0;

  bool operator==(const ReplaySpeed&) const = default;
};

class ReplayClock {
public:
  /// Stands there, until it is started.
  explicit ReplayClock(Moment recorded) : m_recorded(recorded) {}

  /// The moment of the recording that is shown `now`; without a ratio the one that it was put to last.
  [[nodiscard]] Moment at(Moment now) const {
    if (!m_since || !m_speed.ratio) return m_recorded;
    const std::chrono::duration<double, std::nano> passed = now - *m_since;
    return m_recorded + passed * *m_speed.ratio;
  }
  [[nodiscard]] bool isRunning() const { return m_since.has_value(); }
  [[nodiscard]] ReplaySpeed speed() const { return m_speed; }

  void start(Moment now) {
    put(at(now), now);
    m_since = now;
  }
  void stop(Moment now) {
    put(at(now), now);
    m_since.reset();
  }
  void setSpeed(ReplaySpeed speed, Moment now) {
    put(at(now), now);
    m_speed = speed;
  }
  void put(Moment recorded, Moment now) {
    m_recorded = recorded;
    if (m_since) m_since = now;
  }

private:
  ReplaySpeed m_speed;
  /// What was shown at m_since, or is while the clock stands.
  Moment m_recorded;
  std::optional<Moment> m_since;
};

}  // namespace tcpscope
