#include "core/session/watched_connection.h"

#include "core/session/history_events.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kRateGrid{50};

}  // namespace

WatchedConnection::WatchedConnection(const SocketObservation& first, const SessionBudget& budget)
    : m_eventBudget(budget.eventsPerConnection),
      m_stepBase(first),
      m_rateBase(first),
      m_nextRateBase(first),
      m_history(budget.historyBytesPerConnection),
      m_limits(budget.limitIntervals) {}

void WatchedConnection::append(const SocketObservation& before, const SocketObservation& now) {
  m_interval = intervalMetrics(m_rateBase, now);
  if (now.takenAt - m_nextRateBase.takenAt >= kRateGrid) {
    m_rateBase = m_nextRateBase;
    m_nextRateBase = now;
  }
  m_history.append(now.takenAt, MetricSource{now, &m_interval});
  appendEvents(before, now, m_events);
  if (m_events.size() > m_eventBudget) {
    m_events.erase(m_events.begin(), m_events.begin() + static_cast<std::ptrdiff_t>(m_eventBudget / 4));
  }
}

void WatchedConnection::closeStep(const SocketObservation& now) {
  m_limits.append({m_stepBase.takenAt, now.takenAt, sendingLimits(m_stepBase, now), receivingLimits(m_stepBase, now)});
  m_stepBase = now;
}

void WatchedConnection::describe(ConnectionDetail& detail) const {
  detail.interval = m_interval;
  detail.history = m_history;
  detail.limits = m_limits;
  detail.events = m_events;
}

}  // namespace tcpscope
