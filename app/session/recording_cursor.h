// A recording batch by batch, each with the moment at which the recording host knew it.
//
// Reads one batch ahead, so that reading up to a moment stops before anything seen later.
#pragma once

#include <filesystem>
#include <span>

#include "collectors/trace/recording_reader.h"

namespace tcpscope {

/// A place in the course of a recording.
struct CursorPosition {
  Moment upTo;
  RecordingPosition reader;
  /// The batch that was read ahead, and when it was known.
  std::optional<ObservationBatch> ahead;
  Moment aheadAt;
};

class RecordingCursor {
public:
  static Expected<RecordingCursor, SystemError> open(const std::filesystem::path& path, PlaceId place);

  [[nodiscard]] const TraceHello& hello() const { return m_reader->hello(); }
  /// The recording comment; empty for none.
  [[nodiscard]] UntrustedText note() const { return m_reader->about().value_or(TraceAbout()).note; }
  /// As RecordingReader::bytes().
  [[nodiscard]] std::optional<std::uint64_t> bytes() const { return m_reader->bytes(); }
  /// When the next batch was known; nothing at the end.
  std::optional<Moment> next();
  /// The batch whose moment next() returned.
  ObservationBatch take();
  /// The latest moment of what was taken; where the recording begins before anything was.
  [[nodiscard]] Moment upTo() const { return m_upTo; }
  /// What was read of a pipe is gone.
  [[nodiscard]] bool canRewind() const { return m_canRewind; }
  /// Next comes what came first.
  void rewind();
  /// Where it is; nothing where one cannot come back to.
  [[nodiscard]] std::optional<CursorPosition> position() const;
  /// Back to where this or another course of the same recording was; false where that is not in these files.
  bool goTo(const CursorPosition& position);

private:
  explicit RecordingCursor(std::unique_ptr<RecordingReader> reader);

  std::unique_ptr<RecordingReader> m_reader;
  bool m_canRewind = false;
  Moment m_upTo;
  std::optional<ObservationBatch> m_ahead;
  /// Of m_ahead.
  Moment m_aheadAt;
};

/// Each a place, numbered from `firstPlace` on.
Expected<std::vector<RecordingCursor>, SystemError> openCursors(std::span<const std::filesystem::path> paths,
                                                                PlaceId firstPlace);

}  // namespace tcpscope
