// Records a live session into one file for each place: the analysis hands every batch on, a thread of its own writes
// it, so that a slow disk does not block the session.
//
// What finds no room in the queue is a gap of the recording. A medium that fails ends it: what was written stays.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "app/session/bounded_queue.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/trace_writer.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct SessionRecorderState {
  Moment began;
  /// When it ended; nothing while it runs.
  std::optional<Moment> ended;
  std::uint64_t bytes = 0;
  /// What ended it; nothing where it was stopped.
  std::optional<SystemError> error;
};

class SessionRecorder {
public:
  /// The first place goes into this file, others into files beside it with the host's name. Fails where a file cannot
  /// be begun or the system gives no thread. `clock` is the session's now.
  static Expected<std::shared_ptr<SessionRecorder>, SystemError> start(const std::filesystem::path& path,
                                                                       const std::vector<Place>& places,
                                                                       const ClockPair& clock,
                                                                       const RecordingSettings& settings);
  ~SessionRecorder();
  SessionRecorder(const SessionRecorder&) = delete;
  SessionRecorder& operator=(const SessionRecorder&) = delete;

  [[nodiscard]] std::vector<PlaceId> places() const;
  [[nodiscard]] std::map<PlaceId, std::filesystem::path> paths() const;
  void take(ObservationBatch&& batch);
  /// Writes what waits and ends the files; state() says when that is done.
  void requestStop();
  /// The same, and waits until it is done.
  SessionRecorderState finish();
  /// May be asked from any thread.
  [[nodiscard]] SessionRecorderState state() const;

private:
  struct File {
    std::filesystem::path path;
    std::unique_ptr<RecordingOutput> output;
    std::unique_ptr<TraceWriter> writer;
  };

  explicit SessionRecorder(const std::function<Moment()>& now);
  Expected<void, SystemError> add(const std::filesystem::path& path, const Place& place, const ClockPair& clock,
                                  const RecordingSettings& settings);
  void run(const std::stop_token& stop);
  void write(const std::vector<ObservationBatch>& batches);
  void reportRefused();
  void publish();
  void end();
  static void writeSettings(TraceWriter& writer, const ObservationBatch& batch);

  std::function<Moment()> m_now;
  std::map<PlaceId, File> m_files;
  BoundedQueue m_queue;
  std::uint64_t m_refusedReported = 0;
  mutable std::mutex m_mutex;
  SessionRecorderState m_state;
  // Last: it stops and joins before what it works on goes.
  std::jthread m_thread;
};

}  // namespace tcpscope
