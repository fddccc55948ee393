// A connection that an analysis session watches for as long as a test runs it.
#pragma once

#include <cmath>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"
#include "ui/feed/snapshot_feed.h"

namespace tcpscope::test {

/// A sender that the peer's receive window limits for nine tenths of the time, with two losses on the path.
class WatchedSender {
public:
  WatchedSender() {
    m_control.focus = ObservationBuilder().build().id;
    m_session.setControl(m_control);
  }

  SnapshotPointer runFor(Milliseconds span) {
    const Milliseconds until = m_elapsed + span;
    for (; m_elapsed <= until; m_elapsed += Milliseconds(20)) {
      const auto number = static_cast<std::uint32_t>(m_elapsed.count() / 20);
      ObservationBatch batch;
      batch.changed.push_back(ObservationBuilder()
                                  .at(m_elapsed)
                                  .acked(30'000ULL * number)
                                  .dataSegmentsOut(21 * number)
                                  .retransmitted(number > 150 ? 2 : 0)
                                  .peerWindow(static_cast<std::uint32_t>(65'536.0 + 4096.0 * std::sin(number / 9.0)))
                                  .congestionWindow(number > 150 ? 40 : 80)
                                  .inFlight(44)
                                  .notSent(500'000)
                                  .chronographs(m_elapsed, m_elapsed * 9 / 10)
                                  .build());
      m_now = batch.changed.back().takenAt;
      m_session.accept(batch);
    }
    return m_session.tick(m_now);
  }
  [[nodiscard]] ConnectionId id() const { return *m_control.focus; }

private:
  SessionControl m_control;
  AnalysisSession m_session;
  Milliseconds m_elapsed{0};
  Moment m_now;
};

}  // namespace tcpscope::test
