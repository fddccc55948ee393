// A recording from its file: the values of an agent's stream, plain or compressed with zstd, in the order they were
// seen.
//
// What is damaged or cut is a gap among the values; everything before it is kept. Memory is bounded whatever the file
// holds.
#pragma once

#include <filesystem>
#include <memory>

#include "collectors/trace/trace_reader.h"
#include "core/base/expected.h"
#include "core/base/system_error.h"

namespace tcpscope {

class RecordingReader {
public:
  /// Reads up to the hello. Fails with `openRecording`, or `readRecording` where it is no recording.
  static Expected<std::unique_ptr<RecordingReader>, SystemError> open(const std::filesystem::path& path, PlaceId place);
  RecordingReader(const RecordingReader&) = delete;
  RecordingReader& operator=(const RecordingReader&) = delete;
  ~RecordingReader();

  /// Its place carries the file's name.
  [[nodiscard]] const TraceHello& hello() const { return m_hello; }
  /// Nothing at the end.
  std::optional<TraceValue> next();
  /// Where, in bytes of the frames, the recording was damaged first.
  [[nodiscard]] std::optional<std::uint64_t> damagedAt() const { return m_reader.damagedAt(); }

private:
  class Source;

  RecordingReader(std::unique_ptr<Source> source, PlaceId place);
  std::optional<TraceValue> tellCut();

  std::unique_ptr<Source> m_source;
  TraceReader m_reader;
  TraceHello m_hello;
  bool m_isAtEnd = false;
  bool m_isCutTold = false;
};

/// The latest moment that a batch tells of; nothing where it tells of none.
std::optional<Moment> latestMoment(const ObservationBatch& batch);

}  // namespace tcpscope
