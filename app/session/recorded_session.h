// A recording read at once into an analysis, for commands that tell what was: no thread, no clock but the recording's.
#pragma once

#include <filesystem>

#include "collectors/trace/recording_reader.h"
#include "core/session/analysis_session.h"

namespace tcpscope {

class RecordedSession {
public:
  /// Reads all of the file. Every verdict looks back over the whole of it.
  static Expected<std::unique_ptr<RecordedSession>, SystemError> read(const std::filesystem::path& path,
                                                                      const SessionControl& control);

  [[nodiscard]] const Place& place() const { return m_reader->hello().place; }
  /// What was known when the recording ended.
  std::shared_ptr<const SessionSnapshot> atEnd();
  [[nodiscard]] WallTime endedAt() const { return m_reader->hello().clock.wallAt(m_end); }
  /// In the snapshot's order.
  [[nodiscard]] std::vector<std::shared_ptr<const ConnectionDetail>> details(const SessionSnapshot& snapshot) const;

private:
  RecordedSession(std::unique_ptr<RecordingReader> reader, const SessionControl& control);
  void readAll();

  std::unique_ptr<RecordingReader> m_reader;
  AnalysisSession m_session;
  Moment m_end;
};

/// The full picture of every connection of the snapshot, in its order.
std::vector<std::shared_ptr<const ConnectionDetail>> detailsOf(const AnalysisSession& session,
                                                               const SessionSnapshot& snapshot);

}  // namespace tcpscope
