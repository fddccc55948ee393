// A stretch of a connection's life, step by step, as the kernel would have reported it.
//
// Begins from a description of the socket; each step says how the counters grow in it and how the gauges stand at its
// end. The statistics of the whole stretch come out as the session would have gathered them.
#pragma once

#include <functional>
#include <vector>

#include "core/diagnosis/connection_diagnosis.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::test {

/// How much happens in one step.
struct Growth {
  std::chrono::milliseconds busy{0};
  std::chrono::milliseconds receiverLimited{0};
  std::chrono::milliseconds sendBufferLimited{0};
  std::uint64_t acked = 0;
  std::uint64_t received = 0;
  std::uint32_t segmentsOut = 0;
  std::uint32_t segmentsIn = 0;
  std::uint32_t retransmitted = 0;
  std::uint32_t duplicates = 0;
  std::uint32_t reorderings = 0;
  std::uint32_t delivered = 0;
  std::uint32_t marked = 0;
  std::uint16_t timeouts = 0;
  std::chrono::milliseconds inTimeout{0};
};

class Situation {
public:
  using Describe = std::function<void(ObservationBuilder&)>;

  explicit Situation(const Describe& describe) {
    describe(m_builder);
    m_last = m_builder.build();
  }

  /// One sample `after` the previous one; `describe` sets what differs at its end.
  Situation& step(std::chrono::milliseconds after, const Growth& growth, const Describe& describe = {}) {
    m_time += after;
    add(growth);
    m_builder.at(m_time)
        .chronographs(m_total.busy, m_total.receiverLimited, m_total.sendBufferLimited)
        .acked(m_total.acked)
        .received(m_total.received)
        .dataSegmentsOut(m_total.segmentsOut)
        .dataSegmentsIn(m_total.segmentsIn)
        .retransmitted(m_total.retransmitted)
        .duplicatesReported(m_total.duplicates)
        .reorderingEvents(m_total.reorderings)
        .delivered(m_total.delivered, m_total.marked)
        .timeouts(m_total.timeouts, m_total.inTimeout);
    if (describe) describe(m_builder);
    const SocketObservation now = m_builder.build();
    m_window.addStep(m_last, now);
    m_last = now;
    return *this;
  }

  /// The same step again and again.
  Situation& repeat(int times, std::chrono::milliseconds after, const Growth& growth, const Describe& describe = {}) {
    for (int count = 0; count < times; ++count) step(after, growth, describe);
    return *this;
  }

  [[nodiscard]] const SocketObservation& socket() const { return m_last; }
  [[nodiscard]] const WindowStatistics& window() const { return m_window; }
  [[nodiscard]] ConnectionDiagnosis diagnosis() const { return diagnose(m_last, m_window); }
  [[nodiscard]] Verdict verdict() const { return judge(m_last, m_window).verdict; }

private:
  void add(const Growth& growth) {
    m_total.busy += growth.busy;
    m_total.receiverLimited += growth.receiverLimited;
    m_total.sendBufferLimited += growth.sendBufferLimited;
    m_total.acked += growth.acked;
    m_total.received += growth.received;
    m_total.segmentsOut += growth.segmentsOut;
    m_total.segmentsIn += growth.segmentsIn;
    m_total.retransmitted += growth.retransmitted;
    m_total.duplicates += growth.duplicates;
    m_total.reorderings += growth.reorderings;
    m_total.delivered += growth.delivered;
    m_total.marked += growth.marked;
    m_total.timeouts = static_cast<std::uint16_t>(m_total.timeouts + growth.timeouts);
    m_total.inTimeout += growth.inTimeout;
  }

  ObservationBuilder m_builder;
  SocketObservation m_last;
  WindowStatistics m_window;
  Growth m_total;
  std::chrono::milliseconds m_time{0};
};

}  // namespace tcpscope::test
