// The full picture of one connection for tests of the views: what the analysis makes of a few samples.
#pragma once

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::test {

/// Samples of one selected connection, in order of time; the snapshot is taken at the last of them.
inline std::shared_ptr<const SessionSnapshot> snapshotWithDetail(const std::vector<SocketObservation>& samples) {
  SessionControl control;
  control.focus = samples.front().id;
  AnalysisSession session;
  session.setControl(control);
  for (const SocketObservation& sample : samples) {
    ObservationBatch batch;
    batch.changed.push_back(sample);
    session.accept(batch);
  }
  return session.tick(samples.back().takenAt);
}

inline const ConnectionDetail& detailOf(const std::shared_ptr<const SessionSnapshot>& snapshot) {
  return *snapshot->details.begin()->second;
}

}  // namespace tcpscope::test
