#include "app/session/recording_cursor.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tcpscope {

Expected<RecordingCursor, SystemError> RecordingCursor::open(const std::filesystem::path& path, PlaceId place) {
  auto reader = RecordingReader::open(path, place);
  if (!reader) return Unexpected<SystemError>(reader.error());
  RecordingCursor cursor(std::move(*reader));
  std::error_code unknown;
  cursor.m_canRewind = std::filesystem::is_regular_file(path, unknown);
  return cursor;
}

RecordingCursor::RecordingCursor(std::unique_ptr<RecordingReader> reader)
    : m_reader(std::move(reader)), m_upTo(hello().clock.monotonic) {}

std::optional<Moment> RecordingCursor::next() {
  while (!m_ahead) {
    std::optional<TraceValue> value = m_reader->next();
    if (!value) return std::nullopt;
    m_ahead = observationsOf(std::move(*value), hello().place.id);
    // What names no moment belongs to what came before it.
    if (m_ahead) m_aheadAt = std::max(m_upTo, latestMoment(*m_ahead).value_or(m_upTo));
  }
  return m_aheadAt;
}

ObservationBatch RecordingCursor::take() {
  m_upTo = m_aheadAt;
  return *std::exchange(m_ahead, std::nullopt);
}

void RecordingCursor::rewind() {
  m_reader->seek(Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::min()));
  m_ahead.reset();
  m_upTo = hello().clock.monotonic;
}

std::optional<CursorPosition> RecordingCursor::position() const {
  auto reader = m_canRewind ? m_reader->position() : std::nullopt;
  if (!reader) return std::nullopt;
  return CursorPosition{m_upTo, std::move(*reader), m_ahead, m_aheadAt};
}

bool RecordingCursor::goTo(const CursorPosition& position) {
  if (!m_reader->goTo(position.reader)) return false;
  m_upTo = position.upTo;
  m_ahead = position.ahead;
  m_aheadAt = position.aheadAt;
  return true;
}

Expected<std::vector<RecordingCursor>, SystemError> openCursors(std::span<const std::filesystem::path> paths,
                                                                PlaceId firstPlace) {
  std::vector<RecordingCursor> cursors;
  std::uint32_t number = firstPlace.number;
  for (const std::filesystem::path& path : paths) {
    auto cursor = RecordingCursor::open(path, PlaceId{number++});
    if (!cursor) return Unexpected<SystemError>(cursor.error());
    cursors.push_back(std::move(*cursor));
  }
  return cursors;
}

}  // namespace tcpscope
