// A session over live collectors: one thread a collector, one for the analysis, one for what blocks. Views talk to it
// through SessionPort and never wait.
//
// The destructor stops everything and joins: collectors first, so that none fills a queue that is not emptied any more.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/session/analysis_loop.h"
#include "app/session/background_queue.h"
#include "app/session/collector_thread.h"
#include "app/session/connection_capture.h"
#include "core/session/session_port.h"

namespace tcpscope {

struct PlacedCollector {
  PlaceId place;
  std::unique_ptr<Collector> collector;
  /// The collector brings owners and locked buffers itself: /proc of this host knows nothing of its sockets.
  bool bringsOwners = false;
  /// It finds out itself whether the socket in focus is at its place.
  bool takesEveryFocus = false;
};

/// What a live session is made of.
struct LiveSessionParts {
  std::vector<Place> places;
  ClockPair clock;
  /// CLOCK_MONOTONIC of this host.
  std::function<Moment()> now;
  /// The time that snapshots show; null for now(). A replay has one of its own.
  std::function<Moment()> sessionTime;
  std::vector<PlacedCollector> collectors;
  /// Null where owners are not looked up.
  ProcessAnswers answers;
  /// Places whose packets can be captured from here.
  std::map<PlaceId, CaptureMeans> captures;
  SessionBudget budget;
  /// Takes what connections show of their paths, on the analysis thread, and returns at once; null without a path
  /// history.
  TakePathSightings paths;
  /// Observations that may wait for the analysis.
  std::size_t queueCapacity = 131'072;
};

class LiveSession final : public SessionPort {
public:
  /// Fails where the system gives no descriptor or no thread.
  static Expected<std::unique_ptr<LiveSession>, SystemError> start(LiveSessionParts parts,
                                                                   const SessionControl& control = {});
  ~LiveSession() override;

  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return m_slot.load(); }
  void setControl(const SessionControl& control) override { m_loop.setControl(control); }

  /// One more place: it appears in the session, then its collector's batches do; the collector reports owners itself.
  /// Fails where the system gives no descriptor or no thread. These two may be called from any one thread, which waits.
  Expected<void, SystemError> join(const Place& place, std::unique_ptr<Collector> collector,
                                   const std::optional<CaptureMeans>& captures = std::nullopt);
  /// Ends the collectors of the place, and takes away what was seen of it.
  void leave(PlaceId place);

  /// What is seen from now on goes there, too, behind what is known until now; null for nowhere. May be called from any
  /// thread.
  void recordInto(std::shared_ptr<SessionRecorder> recorder);

  /// What live captures take from now on at these places goes there, too. May be called from any thread.
  void recordPacketsInto(PacketRecorders recorders);

  /// Batches that found no room.
  [[nodiscard]] std::uint64_t refusedBatches() const { return m_queue.refused(); }

private:
  struct Running {
    PlaceId place;
    std::unique_ptr<CollectorThread> thread;
    /// Hands on what another program says.
    bool isOutside = false;
    bool takesEveryFocus = false;
  };

  LiveSession(LiveSessionParts& parts, const SessionControl& control);
  Expected<void, SystemError> startThreads(std::vector<PlacedCollector> collectors, const SessionControl& control);
  void request(const CollectorRequest& request);
  Expected<void, SystemError> run(CollectorThread& thread, bool isOutside);
  void reportTurn(PlaceId place, PlaceTurn turn, std::shared_ptr<const Place> appeared);
  void ask(ProcessQuestions questions);
  /// On the analysis thread, as m_capture is.
  void capture(const CaptureOrder& order);
  [[nodiscard]] std::optional<CaptureMeans> captureMeansOf(PlaceId place);
  static ObservationBatch batchOf(CaptureObservation&& observed);

  [[nodiscard]] std::shared_ptr<SessionRecorder> recorder();
  [[nodiscard]] std::shared_ptr<PacketRecorder> packetRecorder(PlaceId place);

  BoundedQueue m_queue;
  std::mutex m_recorderMutex;
  std::shared_ptr<SessionRecorder> m_recorder;
  PacketRecorders m_packetRecorders;
  SnapshotSlot m_slot;
  ProcessAnswers m_answers;
  std::atomic<bool> m_isAnswering = false;
  AnalysisLoop m_loop;
  std::mutex m_runningMutex;
  std::vector<Running> m_running;
  /// What every collector was asked for last.
  CollectorRequest m_requested;
  std::map<PlaceId, CaptureMeans> m_captures;
  std::unique_ptr<BackgroundQueue> m_background;
  std::unique_ptr<ConnectionCapture> m_capture;
  std::jthread m_analysis;
};

}  // namespace tcpscope
