// What the analysis thread does: takes batches from the queue, feeds the analysis, publishes snapshots, and passes on
// what the newest control wants of collectors and of the background queue.
//
// Only setControl() may be called from another thread.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <stop_token>

#include "app/session/bounded_queue.h"
#include "app/session/connection_capture.h"
#include "app/session/owner_questions.h"
#include "app/session/publish_pacer.h"
#include "app/session/session_recorder.h"
#include "app/session/snapshot_slot.h"
#include "collectors/source/collector.h"
#include "core/session/analysis_session.h"

namespace tcpscope {

using TakePathSightings = std::function<void(std::vector<PathSighting>)>;

class AnalysisLoop {
public:
  struct Surroundings {
    BoundedQueue& queue;
    SnapshotSlot& slot;
    std::function<Moment()> now;
    /// Reaches the collector of the place in focus, or every one.
    std::function<void(const CollectorRequest&)> request;
    /// Starts, changes or ends the live capture; null where nothing can be captured.
    std::function<void(const CaptureOrder&)> capture;
    /// Nothing shall be captured any more.
    std::function<void()> endCapture;
    /// Null where nobody looks for owners.
    std::function<void(ProcessQuestions)> ask;
    /// The time that snapshots show; null for now(). A replay has one of its own.
    std::function<Moment()> sessionTime;
    /// Who gets every batch, too; null for nobody.
    std::function<std::shared_ptr<SessionRecorder>()> recorder;
    /// Places whose collectors bring owners themselves: nobody is asked about theirs.
    std::set<PlaceId> answeringPlaces;
    /// Null where nobody keeps a book of paths.
    TakePathSightings paths;
  };

  AnalysisLoop(Surroundings surroundings, const SessionBudget& budget, const SessionControl& control);

  void setPlaces(std::vector<Place> places, ClockPair clock) { m_session.setPlaces(std::move(places), clock); }
  void setControl(const SessionControl& control);
  void run(const std::stop_token& stop);

private:
  void takeNewControl();
  /// Whoever records from now on is told what is known until now.
  void takeRecorder();
  void accept(const ObservationBatch& batch);
  /// Asks for the focused connection as soon as its address is known.
  void forwardRequest();
  /// The same for the packets of the connection that somebody wants to see.
  void forwardCapture();
  void publish();
  void handOverPaths(PathLook when);
  void askForBufferLocks(const SessionSnapshot& snapshot, Moment now);

  Surroundings m_around;
  AnalysisSession m_session;
  SessionControl m_control;
  PublishPacer m_pacer;
  OwnerQuestions m_questions;
  CollectorRequest m_requested;
  std::shared_ptr<SessionRecorder> m_recorder;
  /// The wish that was passed on last.
  std::optional<CaptureWish> m_captured;
  std::unordered_map<ConnectionId, Moment> m_locksAskedAt;

  std::mutex m_mutex;
  std::optional<SessionControl> m_newControl;
};

/// The request that this control comes to; the focus is added once its address is known.
CollectorRequest collectorRequestOf(const SessionControl& control);

}  // namespace tcpscope
