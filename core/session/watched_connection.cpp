#include "core/session/watched_connection.h"

#include <algorithm>

#include "core/session/history_events.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kRateGrid{50};

/// The oldest half goes where there are too many.
template <class Value>
void dropOldestHalfAt(std::size_t budget, std::vector<Value>& values) {
  if (values.size() < budget) return;
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() + 1) / 2);
}

}  // namespace

WatchedConnection::WatchedConnection(const SocketObservation& first, const SessionBudget& budget)
    : m_eventBudget(budget.eventsPerConnection),
      m_stepBase(first),
      m_rateBase(first),
      m_nextRateBase(first),
      m_history(budget.historyBytesPerConnection),
      m_limits(budget.limitIntervals),
      m_concludedUntil(first.takenAt) {
  // Figures are known from the first sample on, rates from the second.
  m_history.append(first.takenAt, MetricSource{first, nullptr});
}

void WatchedConnection::append(const SocketObservation& before, const SocketObservation& now) {
  const Moment lastPoll = std::max(before.takenAt, now.unchangedUntil.value_or(before.takenAt));
  if (lastPoll > before.takenAt) recordSilence(before, lastPoll);
  record(before, now);
  if (m_rhythm.isHole(now.takenAt - lastPoll)) insertInOrder({now.takenAt, HistoryEventKind::gap, 1});
  dropOldestEvents();
}

void WatchedConnection::dropOldestEvents() {
  if (m_events.size() > m_eventBudget) {
    m_events.erase(m_events.begin(), m_events.begin() + static_cast<std::ptrdiff_t>(m_eventBudget / 4));
  }
}

bool WatchedConnection::isReported(const HistoryEvent& concluded) const {
  return std::any_of(m_events.rbegin(), m_events.rend(), [&](const HistoryEvent& event) {
    return event.isReported && event.kind == concluded.kind && event.time > m_concludedUntil &&
           event.time <= concluded.time;
  });
}

void WatchedConnection::addEvent(const HistoryEvent& event) {
  if (!isReported(event)) insertInOrder(event);
  m_concludedUntil = event.time;
}

void WatchedConnection::addReported(const HistoryEvent& event) {
  const auto concluded = std::find_if(m_events.begin(), m_events.end(), [&event](const HistoryEvent& known) {
    return !known.isReported && known.kind == event.kind && known.time >= event.time;
  });
  if (concluded != m_events.end()) m_events.erase(concluded);
  insertInOrder(event);
  dropOldestEvents();
}

void WatchedConnection::insertInOrder(const HistoryEvent& event) {
  const auto after =
      std::upper_bound(m_events.begin(), m_events.end(), event,
                       [](const HistoryEvent& one, const HistoryEvent& other) { return one.time < other.time; });
  m_events.insert(after, event);
}

void WatchedConnection::recordSilence(const SocketObservation& before, Moment until) {
  SocketObservation unchanged = before;
  // Rates fall to zero where the silence begins, not slowly over all of it.
  for (const Moment time : {before.takenAt + Microseconds(1), until}) {
    unchanged.takenAt = time;
    m_interval = intervalMetrics(before, unchanged);
    m_history.append(time, MetricSource{unchanged, &m_interval});
  }
  m_rateBase = unchanged;
  m_nextRateBase = unchanged;
}

void WatchedConnection::record(const SocketObservation& before, const SocketObservation& now) {
  m_interval = intervalMetrics(m_rateBase, now);
  if (now.takenAt - m_nextRateBase.takenAt >= kRateGrid) {
    m_rateBase = m_nextRateBase;
    m_nextRateBase = now;
  }
  m_history.append(now.takenAt, MetricSource{now, &m_interval});
  std::vector<HistoryEvent> concluded;
  appendEvents(before, now, concluded);
  std::erase_if(concluded, [this](const HistoryEvent& event) { return isReported(event); });
  // What the kernel reported on its own meanwhile may be later than this sample.
  for (const HistoryEvent& event : concluded) insertInOrder(event);
  m_concludedUntil = now.takenAt;
}

void WatchedConnection::closeStep(const SocketObservation& now) {
  m_limits.append({m_stepBase.takenAt, now.takenAt, sendingLimits(m_stepBase, now), receivingLimits(m_stepBase, now)});
  m_stepBase = now;
}

void WatchedConnection::addChange(const std::shared_ptr<const ChangeMark>& mark) {
  if (m_changeMarks.size() >= kMostChanges) m_changeMarks.erase(m_changeMarks.begin());
  m_changeMarks.push_back(mark);
  // Marks and samples come by different ways: the mark may be the older one.
  insertInOrder({mark->time, HistoryEventKind::hostSettingChanged, 1});
  dropOldestEvents();
}

ProgramWaits WatchedConnection::take(const ProgramWaits& waits) {
  constexpr std::size_t kMostSamples = 128;
  constexpr Nanoseconds kLately = std::chrono::seconds(5);
  if (!m_programWaits.empty() && waits.from < m_programWaits.back().until) return waits;
  if (m_programWaits.size() >= kMostSamples) {
    m_programWaits.erase(m_programWaits.begin(), m_programWaits.begin() + kMostSamples / 2);
  }
  m_programWaits.push_back(waits);
  ProgramWaits lately = waits;
  for (auto one = m_programWaits.rbegin() + 1; one != m_programWaits.rend(); ++one) {
    // Of a time in which it was not sampled nothing is known.
    if (one->until != lately.from || lately.until - one->from > kLately) break;
    lately = together(*one, lately);
  }
  return lately;
}

void WatchedConnection::addRetransmission(Moment at) {
  dropOldestHalfAt(m_eventBudget, m_retransmissions);
  // Each processor reports its own events in order.
  const auto after = std::upper_bound(m_retransmissions.begin(), m_retransmissions.end(), at);
  m_retransmissions.insert(after, at);
}

void WatchedConnection::addLoss(const ReportedLoss& loss) {
  // Retransmissions as events are concluded from the kernel's counter of segments: one report may be of many.
  if (loss.kind == HistoryEventKind::retransmission) addRetransmission(loss.time);
  if (loss.kind == HistoryEventKind::localDrop) addReported({loss.time, loss.kind, 1, true});
  // Each takes several times as much as an event, and is copied with every snapshot.
  constexpr std::size_t kEventsForOneReport = 8;
  dropOldestHalfAt(std::max<std::size_t>(m_eventBudget / kEventsForOneReport, 1), m_lossReports);
  const auto after = std::upper_bound(m_lossReports.begin(), m_lossReports.end(), loss.time,
                                      [](Moment time, const ReportedLoss& known) { return time < known.time; });
  m_lossReports.insert(after, loss);
}

std::shared_ptr<const LossSummary> WatchedConnection::losses(std::optional<Nanoseconds> rtt) const {
  return std::make_shared<LossSummary>(summarizeDropLog(m_retransmissions, rtt));
}

std::size_t WatchedConnection::listBytes() const {
  return m_limits.intervals().size() * sizeof(LimitInterval) + m_events.size() * sizeof(HistoryEvent) +
         m_changeMarks.size() * sizeof(m_changeMarks[0]) + m_retransmissions.size() * sizeof(Moment) +
         m_lossReports.size() * sizeof(ReportedLoss) + m_programWaits.size() * sizeof(ProgramWaits);
}

CopyBytes WatchedConnection::copyBytes() const {
  return {sizeof *this + listBytes() + m_history.growingBytes(), m_history.sharedBytes()};
}

std::size_t WatchedConnection::residentBytes() const {
  return sizeof *this + listBytes() + m_history.residentBytes();
}

void WatchedConnection::describe(ConnectionDetail& detail) const {
  detail.interval = m_interval;
  detail.history = m_history;
  detail.limits = m_limits;
  detail.events = m_events;
  detail.lossReports = m_lossReports;
  detail.changeMarks.reserve(m_changeMarks.size());
  for (const auto& mark : m_changeMarks) detail.changeMarks.push_back(*mark);
}

void WatchedConnection::addHeldUpPeriods(BesideSamples& beside) const {
  if (m_programWaits.empty()) return;
  beside.heldUpByReader = heldUpByReader(m_limits.intervals(), m_programWaits);
  beside.heldUpByWriter = heldUpByWriter(m_limits.intervals(), m_programWaits);
}

}  // namespace tcpscope
