// The full record of a connection in focus: every sample of every metric, its limits over time, events.
#pragma once

#include <memory>

#include "core/diagnosis/connection_diagnosis.h"
#include "core/model/interval_metrics.h"
#include "core/session/sample_rhythm.h"
#include "core/session/session_budget.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Shortest step that limits are judged over: the kernel's chronographs tick in jiffies of up to 10 ms.
inline constexpr Milliseconds kShortestLimitStep{100};

class WatchedConnection {
public:
  /// The record begins with `first`, which may lie back in time where nothing changed since.
  WatchedConnection(const SocketObservation& first, const SessionBudget& budget);

  /// Takes in a sample that is newer than `before`. Where it was seen unchanged meanwhile, the record says so: the line
  /// of a trace is level up to there.
  void append(const SocketObservation& before, const SocketObservation& now);
  /// The connection is sampled at another rate from now on.
  void rateChanges() { m_rhythm.rateChanges(); }
  /// An event concluded from what was sampled; a reported one of its kind since the sample before takes its place.
  void addEvent(const HistoryEvent& event);
  /// An event that a source reported: it takes the place of the one that samples led to, if that came first.
  void addReported(const HistoryEvent& event);
  void addChange(const std::shared_ptr<const ChangeMark>& mark);

  /// Gives those of the last seconds together.
  ProgramWaits take(const ProgramWaits& waits);
  void addRetransmission(Moment at);
  /// The event at its time is reported, too.
  void addLoss(const ReportedLoss& loss);
  /// Of the retransmissions since the record began.
  [[nodiscard]] std::shared_ptr<const LossSummary> losses(std::optional<Nanoseconds> rtt) const;

  /// The sample that the next step of limits starts at; it moves on in steps of at least kShortestLimitStep.
  [[nodiscard]] const SocketObservation& stepBase() const { return m_stepBase; }
  [[nodiscard]] bool stepIsDue(Moment now) const { return now - m_stepBase.takenAt >= kShortestLimitStep; }
  void closeStep(const SocketObservation& now);

  [[nodiscard]] CopyBytes copyBytes() const;
  /// What the record takes.
  [[nodiscard]] std::size_t residentBytes() const;
  /// True at every few calls: counting costs more than a sample.
  [[nodiscard]] bool countIsDue() { return ++m_callsSinceCount % kCallsBetweenCounts == 0; }
  /// Gives the number of samples.
  std::size_t dropOldestHalf() { return m_history.dropOldestHalf(); }

  /// As the session has counted it.
  std::size_t countedBytes = 0;

  /// Fills in what this record knows.
  void describe(ConnectionDetail& detail) const;
  /// In which the program held up the connection, as far as it was sampled.
  void addHeldUpPeriods(BesideSamples& beside) const;

private:
  static constexpr std::uint32_t kCallsBetweenCounts = 16;

  [[nodiscard]] std::size_t listBytes() const;
  [[nodiscard]] bool isReported(const HistoryEvent& concluded) const;
  void insertInOrder(const HistoryEvent& event);
  void dropOldestEvents();
  void recordSilence(const SocketObservation& before, Moment until);
  void record(const SocketObservation& before, const SocketObservation& now);

  std::size_t m_eventBudget;
  std::uint32_t m_callsSinceCount = 0;
  SocketObservation m_stepBase;
  /// Rates are taken over one to two spans of this grid, so that a fast sample is not all noise.
  SocketObservation m_rateBase;
  SocketObservation m_nextRateBase;
  IntervalMetrics m_interval;
  SampleRhythm m_rhythm;
  ConnectionHistory m_history;
  LimitTimeline m_limits;
  std::vector<HistoryEvent> m_events;
  /// What happened until then has been concluded from samples.
  Moment m_concludedUntil;
  /// Shared with the other connections of the place.
  std::vector<std::shared_ptr<const ChangeMark>> m_changeMarks;
  std::vector<Moment> m_retransmissions;
  std::vector<ReportedLoss> m_lossReports;
  /// The latest, in order of time.
  std::vector<ProgramWaits> m_programWaits;
};

}  // namespace tcpscope
