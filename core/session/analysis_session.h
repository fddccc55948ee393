// From batches of observations to snapshots: metrics, history, limits, findings, order.
//
// Single-threaded and without a clock: accept() takes what collectors saw, tick() makes the picture of `now`. The same
// batches give the same picture, however often one was made before, so that recordings, tests and live use run the same
// code.
#pragma once

#include <memory>

#include "core/advice/path_sighting.h"
#include "core/session/session_budget.h"
#include "core/session/session_control.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// A path is sampled twice per statistics window, so that no change goes unseen; at the end of a session also in
/// between.
enum class PathPoll : std::uint8_t { ifDue, always };

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

  /// An independent copy of the session that shares what never changes. It may be made and used on another thread, as
  /// long as this one does not change meanwhile.
  [[nodiscard]] std::unique_ptr<AnalysisSession> copy() const;
  /// About what a copy takes.
  [[nodiscard]] CopyBytes copyBytes() const;

  /// The full picture of one connection now; null for one that is not known.
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> detail(ConnectionId id) const;
  /// What connections showed of their paths since the last call that was due, as of the last tick; nothing where the
  /// budget leaves them out.
  [[nodiscard]] std::vector<PathSighting> takePathSightings(PathPoll when, Moment now);
  /// What a listener that joins now has missed of a place: the newest sample of each open socket, its owner, the
  /// settings.
  [[nodiscard]] ObservationBatch known(PlaceId place) const;

private:
  class Implementation;
  explicit AnalysisSession(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> m_implementation;
};

}  // namespace tcpscope
