// What the analysis thread does: takes batches from the queue, feeds the analysis, publishes snapshots, and passes the
// requests of the newest control on to collectors and to the background queue.
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
    /// Null where owners are not looked up.
    std::function<void(ProcessQuestions)> ask;
    /// Whether the last questions still wait for answers: what is new until then is asked together.
    std::function<bool()> isAnswering;
    /// The time that snapshots show; null for now(). A replay has one of its own.
    std::function<Moment()> sessionTime;
    /// Also gets every batch; null for none.
    std::function<std::shared_ptr<SessionRecorder>()> recorder;
    /// Places whose collectors report owners themselves: theirs are not looked up.
    std::set<PlaceId> answeringPlaces;
    /// Null without a path history.
    TakePathSightings paths;
  };

  AnalysisLoop(Surroundings surroundings, const SessionBudget& budget, const SessionControl& control);

  void setPlaces(std::vector<Place> places, ClockPair clock) { m_session.setPlaces(std::move(places), clock); }
  void setControl(const SessionControl& control);
  void run(const std::stop_token& stop);

private:
  void takeNewControl();
  /// Gives a new recorder everything known so far.
  void takeRecorder();
  void accept(const ObservationBatch& batch);
  [[nodiscard]] std::vector<ObservationBatch> knownBefore(const ObservationBatch& batch) const;
  /// Asks for the focused connection as soon as its address is known.
  void forwardRequest();
  /// The same for the packets of the connection whose capture is requested.
  void forwardCapture();
  void publish();
  void handOverPaths(PathPoll when);
  void askAboutPrograms(const SessionSnapshot& snapshot, Moment now);

  Surroundings m_around;
  AnalysisSession m_session;
  SessionControl m_control;
  PublishPacer m_pacer;
  OwnerQuestions m_questions;
  CollectorRequest m_requested;
  std::shared_ptr<SessionRecorder> m_recorder;
  /// The request that was passed on last.
  std::optional<CaptureRequest> m_captured;
  std::unordered_map<ConnectionId, Moment> m_locksAskedAt;
  std::unordered_map<ConnectionId, Moment> m_waitsAskedAt;

  std::mutex m_mutex;
  std::optional<SessionControl> m_newControl;
};

/// The collector request of this control; the focus is added once its address is known.
CollectorRequest collectorRequestOf(const SessionControl& control);

}  // namespace tcpscope
