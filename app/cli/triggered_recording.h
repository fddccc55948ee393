// `watch --trigger --record`: a recording around each event, which begins a minute before it and ends some seconds
// after.
//
// Until an event comes, what is seen goes into a ring on disk. Behind an event the ring becomes the event's recording,
// and the next ring begins under another name. A ring in which nothing happened is removed in the end.
#pragma once

#include <filesystem>

#include "app/session/polled_session.h"
#include "app/session/session_recorder.h"

namespace tcpscope {

class TriggeredRecording {
public:
  /// The first event's file is `path`, that of the next has a number behind its name. No file is replaced: fails with
  /// EEXIST where `path` exists, else as SessionRecorder::start().
  static Expected<std::unique_ptr<TriggeredRecording>, SystemError> start(std::filesystem::path path,
                                                                          PolledSession& session, Nanoseconds before,
                                                                          Nanoseconds after);
  /// Ends what is open.
  ~TriggeredRecording();
  TriggeredRecording(const TriggeredRecording&) = delete;
  TriggeredRecording& operator=(const TriggeredRecording&) = delete;

  /// An event has begun; the name of its recording. Nothing behind the last recording that there may be.
  std::optional<std::string> noteEvent(Moment now);
  /// Call after each poll: ends the recording of an event whose time is over, and begins the next ring. Fails where a
  /// file could not be written.
  Expected<void, SystemError> update(Moment now);

private:
  TriggeredRecording(std::filesystem::path path, PolledSession& session, Nanoseconds before, Nanoseconds after);
  Expected<void, SystemError> beginRing();
  Expected<void, SystemError> endRing();
  [[nodiscard]] std::filesystem::path pathOfRing() const;

  std::filesystem::path m_path;
  PolledSession& m_session;
  Nanoseconds m_before;
  Nanoseconds m_after;
  /// In the name of the file.
  std::uint32_t m_number = 0;
  std::uint32_t m_rings = 0;
  std::shared_ptr<SessionRecorder> m_recorder;
  /// Of the event that the ring holds.
  std::optional<Moment> m_endsAt;
};

}  // namespace tcpscope
