// From batches of observations to snapshots: metrics, history, limits, findings, order.
//
// Single-threaded and without a clock: accept() takes what collectors saw, tick() makes the picture of `now`. The same
// batches and ticks give the same snapshots, so that recordings, tests and live use run the same code.
#pragma once

#include <memory>

#include "core/session/session_budget.h"
#include "core/session/session_control.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class AnalysisSession {
public:
  explicit AnalysisSession(SessionBudget budget = {});
  ~AnalysisSession();
  AnalysisSession(const AnalysisSession&) = delete;
  AnalysisSession& operator=(const AnalysisSession&) = delete;

  void setPlaces(std::vector<Place> places, ClockPair clock);
  void setControl(const SessionControl& control);
  void accept(const ObservationBatch& batch);
  std::shared_ptr<const SessionSnapshot> tick(Moment now);

  /// The full picture of one connection now; null for one that is not known.
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> detail(ConnectionId id) const;

private:
  class Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

}  // namespace tcpscope
