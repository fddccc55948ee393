#include "collectors/trace/recording_output.h"

#include <sys/random.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>

#include "collectors/trace/recording_file.h"
#include "collectors/trace/trace_writer.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kLongestWait = std::chrono::milliseconds(500);
/// A segment is not longer than this, and a batch: memory stays bounded.
constexpr std::size_t kLongestSegment = 4U << 20U;
constexpr int kLevel = 3;
/// What was said is said again when so many times as much was said since, and not sooner than this: a file grows by a
/// fifth at most, and a reader that seeks reads a few states' worth.
constexpr std::uint64_t kBetweenKeys = 4;
constexpr Nanoseconds kShortestBetweenKeys = std::chrono::seconds(10);

std::uint64_t randomNumber() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) return 0;
  return number;
}

/// Pieces of the recording that the file held until now: without the file they would be orphans.
void removePiecesOf(const std::filesystem::path& path) {
  const auto about = aboutRecording(path);
  if (!about) return;
  for (const std::filesystem::path& piece : piecesBeside(path)) {
    const auto other = aboutRecording(piece);
    if (other && other->recording == about->recording) ::unlink(piece.c_str());
  }
}

}  // namespace

void RecordingOutput::FreeContext::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

Expected<std::unique_ptr<RecordingOutput>, SystemError> RecordingOutput::create(const std::filesystem::path& path,
                                                                                RecordingSettings settings) {
  const auto failed = [&](int number) {
    return Unexpected<SystemError>({SystemAttempt::writeRecording, number, UntrustedText(path.string())});
  };
  auto file = NewFile::create(path);
  if (!file) return failed(file.error());
  std::unique_ptr<RecordingOutput> output(new RecordingOutput(std::move(*file), path, std::move(settings)));
  if (!output->m_context) return failed(ENOMEM);
  return output;
}

RecordingOutput::RecordingOutput(NewFile file, std::filesystem::path path, RecordingSettings settings)
    : m_path(std::move(path)),
      m_file(std::move(file)),
      m_descriptor(m_file.takeDescriptor()),
      m_settings(std::move(settings)),
      m_pieces(m_path, m_settings.limits),
      m_context(ZSTD_createCCtx()),
      m_recording(randomNumber()),
      m_pieceBegin(m_settings.now()),
      m_keyAt(m_pieceBegin),
      m_syncedAt(m_pieceBegin) {
  if (!m_settings.write) m_settings.write = ::write;
  if (!m_context) return;
  ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_checksumFlag, 1);
  beginPiece(m_bytes, 0);
}

RecordingOutput::~RecordingOutput() {
  finish();
}

void RecordingOutput::beginPiece(std::vector<std::byte>& out, std::uint32_t piece) const {
  TraceWriter(out).write(TraceAbout{m_recording, piece, m_settings.note});
  if (m_state.knowsHello()) m_state.appendOpening(out);
}

bool RecordingOutput::flush() {
  if (m_isFinished || m_errorNumber != 0) return false;
  if (m_bytes.empty()) return true;
  const Moment now = m_settings.now();
  if (!m_waitingSince) m_waitingSince = now;
  if (m_written == 0) return writeSegment();
  if (now - *m_waitingSince < kLongestWait && m_bytes.size() < kLongestSegment) return true;
  return writeSegment();
}

bool RecordingOutput::settle() {
  if (m_isFinished || m_errorNumber != 0) return false;
  return m_bytes.empty() || writeSegment();
}

bool RecordingOutput::finish() {
  if (m_isFinished || m_errorNumber != 0) return m_errorNumber == 0;
  if (!m_bytes.empty()) writeSegment();
  m_isFinished = true;
  if (m_settings.syncEvery && m_errorNumber == 0) sync(m_settings.now() + *m_settings.syncEvery);
  return m_errorNumber == 0;
}

bool RecordingOutput::isKeyDue(Moment begin) const {
  return begin - m_keyAt >= kShortestBetweenKeys && m_written - m_keyEnd >= kBetweenKeys * m_keyBytes;
}

bool RecordingOutput::writeSegment() {
  const Moment now = m_settings.now();
  SegmentHeader header{m_waitingSince.value_or(now), now, m_written == 0, 0};
  m_waitingSince.reset();
  std::vector<std::byte> before;
  if (!header.isKey && isKeyDue(header.begin)) {
    header.isKey = true;
    m_state.appendSockets(before);
  }
  m_state.accept(m_bytes);
  if (header.isKey) {
    const std::uint64_t begin = m_written;
    if (!before.empty()) writePacked(before, {header.begin, header.begin, true, 0});
    header.isKey = begin == 0;
    m_keyBytes = m_written - begin;
    m_keyEnd = m_written;
    m_keyAt = now;
  }
  if (m_errorNumber == 0) writePacked(m_bytes, header);
  m_bytes.clear();
  takeName();
  sync(now);
  m_pieces.trim(now, m_written);
  if (m_errorNumber == 0 && m_settings.limits.isRing() && m_pieces.isFull(now - m_pieceBegin, m_written, m_keyBytes)) {
    rotate(now);
  }
  return m_errorNumber == 0;
}

bool RecordingOutput::writePacked(std::span<const std::byte> plain, const SegmentHeader& header) {
  m_packed.resize(kSegmentHeaderBytes + ZSTD_compressBound(plain.size()));
  const std::size_t size = ZSTD_compress2(m_context.get(), m_packed.data() + kSegmentHeaderBytes,
                                          m_packed.size() - kSegmentHeaderBytes, plain.data(), plain.size());
  if (ZSTD_isError(size) != 0) {
    m_errorNumber = EIO;
    return false;
  }
  SegmentHeader whole = header;
  whole.packedBytes = static_cast<std::uint32_t>(size);
  const auto begin = segmentHeaderBytes(whole);
  std::copy(begin.begin(), begin.end(), m_packed.begin());
  return write(std::span(m_packed).first(kSegmentHeaderBytes + size));
}

/// All or nothing: half a segment would be of no use and look like damage.
bool RecordingOutput::write(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  while (!bytes.empty() && m_errorNumber == 0) {
    const ssize_t taken = m_settings.write(m_descriptor.get(), bytes.data(), bytes.size());
    if (taken < 0 && errno != EINTR) m_errorNumber = errno;
    if (taken == 0) m_errorNumber = EIO;
    if (taken > 0) bytes = bytes.subspan(static_cast<std::size_t>(taken));
  }
  if (m_errorNumber == 0) {
    m_written += size;
    return true;
  }
  // It may fail, too; a reader then finds the half segment and passes over it.
  [[maybe_unused]] const int ignored = ftruncate(m_descriptor.get(), static_cast<off_t>(m_written));
  return false;
}

void RecordingOutput::takeName() {
  if (m_file.hasName()) return;
  if (m_errorNumber == 0) {
    removePiecesOf(m_path);
    if (const auto taken = m_file.takeName(); !taken) m_errorNumber = taken.error();
  }
  m_file.discard();
}

void RecordingOutput::sync(Moment now) {
  if (!m_settings.syncEvery || m_errorNumber != 0 || now - m_syncedAt < *m_settings.syncEvery) return;
  m_syncedAt = now;
  // What is no file on a medium cannot be asked.
  if (fdatasync(m_descriptor.get()) != 0 && errno != EINVAL && errno != EROFS) m_errorNumber = errno;
}

void RecordingOutput::rotate(Moment now) {
  std::vector<std::byte> begin;
  beginPiece(begin, m_piece + 1);
  m_state.appendSockets(begin);
  OwnedDescriptor next = m_pieces.begin(m_written);
  if (!next) {
    m_errorNumber = errno;
    return;
  }
  const std::uint64_t older = m_written;
  std::swap(m_descriptor, next);
  m_written = 0;
  if (writePacked(begin, {now, now, true, 0}) && !m_pieces.exchange(m_pieceBegin, older)) m_errorNumber = errno;
  if (m_errorNumber != 0) {
    m_pieces.abandon();
    std::swap(m_descriptor, next);
    m_written = older;
    return;
  }
  ++m_piece;
  m_pieceBegin = now;
  m_keyAt = now;
  m_keyBytes = m_keyEnd = m_written;
}

}  // namespace tcpscope
