#include "core/session/connection_activity.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

ConnectionActivity::ConnectionActivity(Moment start, Nanoseconds halfWindow) : m_halfWindow(halfWindow), m_upTo(start) {
  m_previous.from = m_previous.to = start;
  m_current.from = m_current.to = start;
}

void ConnectionActivity::step(const SocketObservation& before, const SocketObservation& now) {
  if (now.unchangedUntil && *now.unchangedUntil > before.takenAt && *now.unchangedUntil < now.takenAt) {
    SocketObservation still = before;
    still.takenAt = *now.unchangedUntil;
    addStep(before, still);
    addStep(still, now);
  } else {
    addStep(before, now);
  }
  ++m_stepsInCurrent;
  m_endedSilent = false;
}

void ConnectionActivity::silentUntil(const SocketObservation& socket, Moment until) {
  if (until <= m_upTo) return;
  SocketObservation still = socket;
  still.takenAt = until;
  SocketObservation from = socket;
  from.takenAt = m_upTo;
  addStep(from, still);
  m_endedSilent = true;
}

void ConnectionActivity::addStep(const SocketObservation& before, const SocketObservation& now) {
  if (now.takenAt <= m_upTo) return;
  turnHalves(now.takenAt);
  if (before.takenAt < m_upTo) {
    // A part of the step is already counted as silence: the change belongs to the rest of it.
    SocketObservation later = before;
    later.takenAt = m_upTo;
    m_current.addStep(later, now);
    m_interval = intervalMetrics(later, now);
  } else {
    m_current.addStep(before, now);
    m_interval = intervalMetrics(before, now);
  }
  recordRate(now.takenAt);
  m_upTo = now.takenAt;
}

std::int64_t ConnectionActivity::sparklinePointOf(Moment time) const {
  return time.nanoseconds() / (2 * m_halfWindow.count() / static_cast<std::int64_t>(kSparklinePoints));
}

void ConnectionActivity::recordRate(Moment now) {
  const double send = m_interval.sendGoodput ? m_interval.sendGoodput->value() : 0.0;
  const double receive = m_interval.receiveGoodput ? m_interval.receiveGoodput->value() : 0.0;
  const auto passed = std::clamp<std::int64_t>(sparklinePointOf(now) - sparklinePointOf(m_upTo), 0, kSparklinePoints);
  const auto rate = static_cast<float>(std::max(send, receive));
  if (passed == 0) {
    // Of several steps within one point the fastest stays: a pause between two bursts is no end of the transfer.
    m_rates.back() = std::max(m_rates.back(), rate);
    return;
  }
  std::move(m_rates.begin() + passed, m_rates.end(), m_rates.begin());
  std::fill(m_rates.end() - passed, m_rates.end(), rate);
}

void ConnectionActivity::turnHalves(Moment now) {
  if (now < halfEndsAt()) return;
  const bool wholeWindowPassed = now >= halfEndsAt() + m_halfWindow;
  m_previous = wholeWindowPassed ? WindowStatistics{} : m_current;
  m_stepsInPrevious = wholeWindowPassed ? 0 : m_stepsInCurrent;
  m_current = WindowStatistics{};
  m_current.from = m_current.to = m_upTo;
  if (wholeWindowPassed) m_previous.from = m_previous.to = m_upTo;
  m_stepsInCurrent = 0;
}

WindowStatistics ConnectionActivity::window() const {
  WindowStatistics both = m_previous;
  both += m_current;
  return both;
}

void ConnectionActivity::drawSparkline(ConnectionRow& row) const {
  row.sparklineTopBps = *std::max_element(m_rates.begin(), m_rates.end());
  for (std::size_t point = 0; point < kSparklinePoints; ++point) {
    const float share = row.sparklineTopBps > 0.0F ? m_rates[point] / row.sparklineTopBps : 0.0F;
    row.sparkline[point] = static_cast<std::uint8_t>(std::lround(share * 255.0F));
  }
}

}  // namespace tcpscope
