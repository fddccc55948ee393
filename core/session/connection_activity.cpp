#include "core/session/connection_activity.h"

#include <algorithm>
#include <utility>

#include "core/base/prefetch.h"

namespace tcpscope {

ConnectionActivity::ConnectionActivity(Moment start, Nanoseconds halfWindow)
    : m_upTo(start), m_halfFrom(start), m_halfWindow(halfWindow) {
  m_current.from = m_current.to = start;
}

void ConnectionActivity::restart(Moment start, Nanoseconds halfWindow) {
  ValuePointer<WindowStatistics> memory = std::move(m_previous);
  *this = ConnectionActivity(start, halfWindow);
  m_previous = std::move(memory);
}

void ConnectionActivity::step(const SocketObservation& before, const SocketObservation& now,
                              std::optional<Moment> unchangedUntil) {
  if (unchangedUntil && *unchangedUntil < now.takenAt) addSilence(before, *unchangedUntil);
  addChange(before, now);
  ++m_stepsInCurrent;
  m_endedSilent = false;
}

void ConnectionActivity::silentUntil(const SocketObservation& socket, Moment until) {
  if (!m_endedSilent && until > m_upTo) {
    m_interval = intervalMetrics(socket.info, socket.info, until - socket.takenAt);
  }
  addSilence(socket, until);
  m_endedSilent = true;
}

void ConnectionActivity::addSilence(const SocketObservation& socket, Moment until) {
  if (until <= m_upTo) return;
  turnHalves(until);
  m_current.addSilence(socket, m_upTo, until);
  m_halfFrom = m_current.from;
  recordRate(0.0F, until);
}

void ConnectionActivity::addChange(const SocketObservation& before, const SocketObservation& now) {
  if (now.takenAt <= m_upTo) return;
  turnHalves(now.takenAt);
  // Where a part of the step is already counted as silence the change belongs to the rest of it.
  SocketObservation from = before;
  from.takenAt = std::max(before.takenAt, m_upTo);
  const std::uint32_t lossEvents = m_current.lossEvents;
  m_current.addStep(from, now, m_carry);
  m_halfFrom = m_current.from;
  m_lossEventsNotTaken += m_current.lossEvents - lossEvents;
  m_interval = intervalMetrics(from, now);
  const double send = m_interval.sendGoodput ? m_interval.sendGoodput->value() : 0.0;
  const double receive = m_interval.receiveGoodput ? m_interval.receiveGoodput->value() : 0.0;
  recordRate(static_cast<float>(std::max(send, receive)), now.takenAt);
}

std::int64_t ConnectionActivity::sparklinePointOf(Moment time) const {
  return time.nanoseconds() / (2 * m_halfWindow.count() / static_cast<std::int64_t>(kSparklinePoints));
}

void ConnectionActivity::recordRate(float rate, Moment upTo) {
  const auto passed = std::clamp<std::int64_t>(sparklinePointOf(upTo) - sparklinePointOf(m_upTo), 0, kSparklinePoints);
  m_upTo = upTo;
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
  if (m_hasPrevious) remember(*m_previous);
  if (wholeWindowPassed) remember(m_current);
  m_hasPrevious = !wholeWindowPassed && m_current.samples > 0;
  if (m_hasPrevious) {
    if (m_previous) {
      *m_previous = std::move(m_current);
    } else {
      m_previous.emplace(std::move(m_current));
    }
  }
  m_stepsInPrevious = wholeWindowPassed ? 0 : m_stepsInCurrent;
  m_current = WindowStatistics{};
  m_current.from = m_current.to = m_halfFrom = m_upTo;
  m_stepsInCurrent = 0;
}

void ConnectionActivity::remember(const WindowStatistics& part) {
  if (!m_older) {
    if (!OlderFigures::isIn(part)) return;
    m_older.emplace();
  }
  m_older->take(part);
}

std::size_t ConnectionActivity::bytes() const {
  const auto elsewhere = [](const auto& part) { return part ? sizeof *part : 0; };
  std::size_t bytes = sizeof *this + elsewhere(m_previous) + elsewhere(m_older) + elsewhere(m_current.losses);
  if (m_older) bytes += m_older->bytesElsewhere();
  if (m_previous) bytes += elsewhere(m_previous->losses);
  return bytes;
}

void ConnectionActivity::prefetchPrevious() const {
  if (m_hasPrevious) prefetch(&*m_previous, sizeof *m_previous);
}

WindowStatistics ConnectionActivity::window() const {
  WindowStatistics both = m_hasPrevious ? *m_previous : m_current;
  if (m_hasPrevious) both += m_current;
  if (m_older) m_older->supply(both);
  return both;
}

std::uint32_t ConnectionActivity::takeLossEvents() {
  return std::exchange(m_lossEventsNotTaken, 0U);
}

void ConnectionActivity::drawSparkline(ConnectionFigures& figures) const {
  const float top = *std::max_element(m_rates.begin(), m_rates.end());
  figures.sparklineTopBps = top;
  for (std::size_t point = 0; point < kSparklinePoints; ++point) {
    const float share = top > 0.0F ? m_rates[point] / top : 0.0F;
    // Rounded without a call, as there are many of them and none is negative.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    figures.sparkline[point] = static_cast<std::uint8_t>(share * 255.0F + 0.5F);
  }
}

}  // namespace tcpscope
