#include "collectors/trace/recording_reader.h"

#include <algorithm>

#include "collectors/trace/recording_pieces.h"

namespace tcpscope {

namespace {

/// A hello comes first; behind so many other values there is none.
constexpr int kValuesBeforeHello = 64;

}  // namespace

Expected<std::unique_ptr<RecordingReader>, SystemError> RecordingReader::open(const std::filesystem::path& path,
                                                                              PlaceId place) {
  auto file = RecordingFile::open(path);
  if (!file) return Unexpected<SystemError>(file.error());
  std::unique_ptr<RecordingReader> reader(new RecordingReader(place));
  const std::uint32_t number = reader->addOlderPieces(path);
  std::vector<SegmentEntry> segments = (*file)->segments();
  reader->m_pieces.push_back({std::move(*file), std::move(segments), number});
  if (!reader->readHello()) {
    return Unexpected<SystemError>({SystemAttempt::readRecording, 0, UntrustedText(path.string())});
  }
  reader->m_hello.place.recording = UntrustedText(path.filename().string());
  reader->beginWhereItBegins();
  return reader;
}

/// A running recorder may remove the oldest pieces meanwhile: missing ones are skipped.
std::uint32_t RecordingReader::addOlderPieces(const std::filesystem::path& path) {
  // A pipe has nothing beside it, and what is read of it is gone.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return 0;
  const std::optional<TraceAbout> newest = aboutRecording(path);
  if (!newest) return 0;
  std::vector<std::pair<std::uint32_t, std::filesystem::path>> older;
  for (const std::filesystem::path& piece : piecesBeside(path)) {
    const std::optional<TraceAbout> about = aboutRecording(piece);
    const bool isOfIt = about && about->recording == newest->recording && about->piece < newest->piece;
    if (isOfIt) older.emplace_back(about->piece, piece);
  }
  std::sort(older.begin(), older.end());
  for (const auto& [number, piece] : older) {
    auto file = RecordingFile::openRegular(piece);
    if (!file) continue;
    std::vector<SegmentEntry> segments = (*file)->segments();
    m_pieces.push_back({std::move(*file), std::move(segments), number});
  }
  return newest->piece;
}

bool RecordingReader::readHello() {
  for (int tries = 0; tries < kValuesBeforeHello; ++tries) {
    const std::optional<TraceValue> value = next();
    if (!value) break;
    if (const auto* about = std::get_if<TraceAbout>(&*value)) m_about = *about;
    const auto* hello = std::get_if<TraceHello>(&*value);
    if (hello == nullptr) continue;
    m_hello = *hello;
    return true;
  }
  return false;
}

/// The beginning of a ring is gone: replay does not wait through it.
void RecordingReader::beginWhereItBegins() {
  const std::vector<SegmentEntry>& segments = m_pieces.front().segments;
  if (!m_about || m_about->piece == 0 || segments.empty()) return;
  const Moment begin = segments.front().header.begin;
  m_hello.clock = {begin, m_hello.clock.wallAt(begin)};
}

std::optional<std::uint64_t> RecordingReader::bytes() const {
  std::uint64_t all = 0;
  for (const Piece& piece : m_pieces) {
    const auto bytes = piece.file->bytes();
    if (!bytes) return std::nullopt;
    all += *bytes;
  }
  return all;
}

std::optional<Moment> RecordingReader::end() const {
  const std::vector<SegmentEntry>& segments = m_pieces.back().segments;
  return segments.empty() ? std::nullopt : std::optional(segments.back().header.end);
}

std::optional<TraceValue> RecordingReader::next() {
  while (true) {
    if (std::optional<TraceValue> value = m_reader.next()) return value;
    if (m_isAtEnd) return reportCut();
    RecordingFile& file = *m_pieces[m_current].file;
    const std::span<const std::byte> bytes = file.next();
    m_reader.feed(bytes);
    if (!bytes.empty()) continue;
    if (file.takeMissing()) {
      m_reader.reportMissing();
    } else if (m_current + 1 < m_pieces.size()) {
      if (file.isCut()) m_reader.reportMissing();
      ++m_current;
    } else {
      m_isAtEnd = true;
      m_reader.end();
    }
  }
}

void RecordingReader::seek(Moment moment) {
  const auto latestKey = [&](const Piece& piece) -> const SegmentEntry* {
    const SegmentEntry* latest = nullptr;
    for (const SegmentEntry& segment : piece.segments) {
      if (segment.header.isKey && segment.header.begin <= moment) latest = &segment;
    }
    return latest;
  };
  m_reader.restart();
  for (std::size_t piece = m_pieces.size(); piece-- > 0;) {
    if (const SegmentEntry* key = latestKey(m_pieces[piece])) return goOnIn(piece, key->offset);
  }
  goOnIn(0, 0);
}

void RecordingReader::goOnIn(std::size_t piece, std::uint64_t offset) {
  m_isAtEnd = false;
  m_isCutReported = false;
  m_current = piece;
  m_pieces[piece].file->goTo(offset);
  for (std::size_t later = piece + 1; later < m_pieces.size(); ++later) m_pieces[later].file->goTo(0);
}

std::optional<RecordingPosition> RecordingReader::position() const {
  // Behind the end nothing is read any more, wherever the file stands.
  const auto offset = m_isAtEnd ? std::optional<std::uint64_t>(0) : m_pieces[m_current].file->boundary();
  if (!offset || (m_isAtEnd && !m_isCutReported)) return std::nullopt;
  return RecordingPosition{m_about ? m_about->recording : 0, m_pieces[m_current].number, *offset, m_isAtEnd, m_reader};
}

bool RecordingReader::goTo(const RecordingPosition& position) {
  if (position.recording != (m_about ? m_about->recording : 0)) return false;
  const auto piece = std::find_if(m_pieces.begin(), m_pieces.end(),
                                  [&position](const Piece& one) { return one.number == position.piece; });
  if (piece == m_pieces.end()) return false;
  m_reader = position.reader;
  goOnIn(static_cast<std::size_t>(piece - m_pieces.begin()), position.offset);
  m_isAtEnd = position.isAtEnd;
  m_isCutReported = position.isAtEnd;
  return true;
}

/// A packed recording may end between two frames and still not be whole.
std::optional<TraceValue> RecordingReader::reportCut() {
  const bool isNews = m_pieces.back().file->isCut() && !m_isCutReported && !m_reader.damagedAt();
  m_isCutReported = true;
  if (!isNews) return std::nullopt;
  ObservationBatch batch;
  batch.place = m_hello.place.id;
  batch.gaps.push_back({batch.place, GapKind::damagedFrame, 1});
  return batch;
}

std::optional<Moment> latestMoment(const ObservationBatch& batch) {
  std::optional<Moment> latest = batch.dumpEndedAt;
  const auto take = [&latest](Moment moment) { latest = std::max(latest.value_or(moment), moment); };
  for (const SocketObservation& socket : batch.changed) take(socket.takenAt);
  for (const ClosedSocket& closed : batch.closed) take(closed.closedAt);
  return latest;
}

}  // namespace tcpscope
