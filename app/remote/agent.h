// The agent's loop in one object: a collector of this place's sockets whose batches go out as frames, with the owners
// and the host's further network namespaces between dumps; the socket in focus is sampled on a thread of its own and
// written by this one. `runAgent` is this until the requests end; a recording is this for a while into a file.
#pragma once

#include <memory>
#include <stop_token>

#include "app/remote/bounded_answers.h"
#include "app/remote/requested_events.h"
#include "app/session/bounded_queue.h"
#include "app/session/collector_thread.h"
#include "app/session/local_place.h"
#include "app/session/other_namespaces.h"
#include "collectors/trace/frame_sink.h"
#include "collectors/trace/trace_writer.h"
#include "core/session/anonymizer.h"

namespace tcpscope {

class Agent {
public:
  enum class Names : std::uint8_t {
    kept,
    /// Frames hold placeholders for addresses and names (core/session/anonymizer.h), one set for all frames.
    hidden,
  };

  /// Writes the hello and the facts about the host at once. The sink is the caller's and outlives this.
  static Expected<std::unique_ptr<Agent>, SystemError> open(const LocalPlace& place, FrameSink& sink,
                                                            bool resolveOwners, Names names = Names::kept);

  /// Until the stop is requested, which the source of requests does too. `afterBatch` is called when frames were
  /// appended and written as far as they went. Fails where the system has no descriptor left.
  Expected<void, SystemError> run(const std::stop_token& stop, RequestSource& requests,
                                  const std::function<void()>& afterBatch);

private:
  /// What open() has opened.
  struct Parts {
    std::unique_ptr<Collector> collector;
    std::vector<std::unique_ptr<CollectorThread>> threads;
    std::unique_ptr<CollectorThread> furtherFocus;
    std::optional<OtherNamespaces> further;
  };

  Agent(const LocalPlace& place, Parts parts, FrameSink& sink, ProcessAnswers answers, Names names);
  void greet(const LocalPlace& place, bool resolvesOwners);
  bool take(const ObservationBatch& batch);
  /// As take(), of a further network namespace.
  bool takeFurther(const ObservationBatch& batch);
  void pollFurther();
  void write(const ObservationBatch& batch);
  void write(HostFacts facts);
  void writeQueued();
  void writeReleased();
  [[nodiscard]] std::vector<CollectorThread*> allThreads() const;
  void stopThreads();
  void writeAnswers();
  void writeChangedSettings();
  void passToThreads(const CollectorRequest& request);

  std::unique_ptr<Collector> m_collector;
  /// Batches of the other sources' threads that this thread has not written yet.
  BoundedQueue m_queue;
  /// The source of the socket in focus, and those that report single events.
  std::vector<std::unique_ptr<CollectorThread>> m_threads;
  /// The same of the socket in focus where it is in a further network namespace; null where none are observed.
  std::unique_ptr<CollectorThread> m_furtherFocus;
  std::optional<OtherNamespaces> m_further;
  Moment m_furtherDue;
  bool m_saidHidden = false;
  PlaceId m_place;
  CollectorRequest m_request;
  FrameSink& m_sink;
  TraceWriter m_writer;
  std::optional<Anonymizer> m_anonymizer;
  RequestedEvents m_events;
  BoundedAnswers m_answers;
  SettingsWatch m_settings;
  Moment m_settingsDue;
  bool m_dumpEnded = false;
  /// Batches refused by a full sink, reported as a gap with the next one that is written.
  std::uint64_t m_lostQueued = 0;
};

}  // namespace tcpscope
