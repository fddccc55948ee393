#include "collectors/trace/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>

#include "collectors/trace/trace_reader.h"

namespace tcpscope {

namespace {

constexpr std::size_t kChunkBytes = 64U << 10U;
constexpr std::size_t kFirstSearchBytes = 256;
/// The largest window that a recording's compression uses: 8 MiB.
constexpr int kLargestWindowLog = 23;
/// What a recording is about is among its first values.
constexpr int kValuesBeforeAbout = 4;

constexpr std::array<std::byte, 4> kZstdMagic = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};

bool beginsWith(std::span<const std::byte> bytes, const std::array<std::byte, 4>& magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

void RecordingFile::FreeContext::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

Expected<std::unique_ptr<RecordingFile>, SystemError> RecordingFile::open(const std::filesystem::path& path) {
  return opened(path, OwnedDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
}

Expected<std::unique_ptr<RecordingFile>, SystemError> RecordingFile::openRegular(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a FIFO in place of the file would block.
  OwnedDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (descriptor && (::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))) {
    return Unexpected<SystemError>({SystemAttempt::openRecording, EINVAL, UntrustedText(path.string())});
  }
  return opened(path, std::move(descriptor));
}

Expected<std::unique_ptr<RecordingFile>, SystemError> RecordingFile::opened(const std::filesystem::path& path,
                                                                            OwnedDescriptor descriptor) {
  const UntrustedText name(path.string());
  if (!descriptor) return Unexpected<SystemError>({SystemAttempt::openRecording, errno, name});
  std::unique_ptr<RecordingFile> file(new RecordingFile(std::move(descriptor)));
  if (!file->m_isRecording) {
    return Unexpected<SystemError>({SystemAttempt::readRecording, file->m_errorNumber, name});
  }
  return file;
}

RecordingFile::RecordingFile(OwnedDescriptor descriptor)
    : m_descriptor(std::move(descriptor)), m_raw(kChunkBytes), m_plain(kChunkBytes) {
  readRaw();
  const std::span<const std::byte> begin(m_raw.data(), m_rawSize);
  m_isCompressed = beginsWith(begin, kZstdMagic) || readSegmentHeader(begin);
  m_isRecording = m_isCompressed || beginsWithFrame(begin);
  if (!m_isCompressed) return;
  m_context.reset(ZSTD_createDCtx());
  if (m_context) ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
}

RecordingFile::~RecordingFile() = default;

std::optional<std::uint64_t> RecordingFile::bytes() const {
  struct stat status {};
  if (::fstat(m_descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::uint64_t> RecordingFile::boundary() const {
  if (!m_isCompressed) return m_rawOffset + m_rawAt;
  return m_isInside || m_isBroken ? std::nullopt : std::optional(m_packedFrom);
}

void RecordingFile::goTo(std::uint64_t offset) {
  if (offset >= m_rawOffset && offset - m_rawOffset < m_rawSize) {
    m_rawAt = offset - m_rawOffset;
  } else {
    if (lseek(m_descriptor.get(), static_cast<off_t>(offset), SEEK_SET) < 0) m_errorNumber = errno;
    m_rawAt = 0;
    m_rawSize = 0;
    m_rawOffset = offset;
  }
  m_packedFrom = offset;
  m_isInside = false;
  m_isBroken = false;
  if (m_context) ZSTD_DCtx_reset(m_context.get(), ZSTD_reset_session_only);
}

void RecordingFile::readRaw() {
  m_rawOffset += m_rawSize;
  m_rawAt = 0;
  m_rawSize = 0;
  ssize_t count = -1;
  do {
    count = ::read(m_descriptor.get(), m_raw.data(), m_raw.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) m_errorNumber = errno;
  if (count > 0) m_rawSize = static_cast<std::size_t>(count);
}

std::span<const std::byte> RecordingFile::next() {
  if (m_rawAt == m_rawSize) readRaw();
  if (m_isCompressed) return unpack();
  m_rawAt = m_rawSize;
  return {m_raw.data(), m_rawSize};
}

std::span<const std::byte> RecordingFile::unpack() {
  while (m_context && !m_isBroken) {
    if (m_rawAt == m_rawSize) readRaw();
    ZSTD_inBuffer in{m_raw.data(), m_rawSize, m_rawAt};
    ZSTD_outBuffer out{m_plain.data(), m_plain.size(), 0};
    const std::size_t before = in.pos;
    const std::size_t result = ZSTD_decompressStream(m_context.get(), &out, &in);
    m_rawAt = in.pos;
    if (ZSTD_isError(result) != 0) {
      resynchronise();
      return {};
    }
    // 0: a packed piece is complete; another may follow.
    if (in.pos != before || out.pos > 0) m_isInside = result != 0;
    if (!m_isInside) m_packedFrom = m_rawOffset + m_rawAt;
    if (out.pos > 0) return {m_plain.data(), out.pos};
    if (m_rawSize == 0) break;
  }
  return {};
}

/// To the first segment after the start of what cannot be decompressed: its intended length is unknown.
void RecordingFile::resynchronise() {
  const std::optional<SegmentEntry> next = findSegment(m_packedFrom + 1);
  m_isMissing = next.has_value();
  if (next) {
    goTo(next->offset);
  } else {
    m_isBroken = true;
  }
}

std::size_t RecordingFile::readAt(std::uint64_t offset, std::span<std::byte> into) {
  ssize_t count = -1;
  do {
    count = pread(m_descriptor.get(), into.data(), into.size(), static_cast<off_t>(offset));
  } while (count < 0 && errno == EINTR);
  return static_cast<std::size_t>(std::max<ssize_t>(0, count));
}

std::optional<SegmentEntry> RecordingFile::findSegment(std::uint64_t from) {
  std::vector<std::byte> bytes;
  // The next one is usually near: a file of nothing but damaged small segments is not read over and over.
  for (std::size_t size = kFirstSearchBytes;; size = std::min(2 * size, kChunkBytes)) {
    bytes.resize(size);
    const std::span<const std::byte> read(bytes.data(), readAt(from, bytes));
    if (read.size() < kSegmentHeaderBytes) return std::nullopt;
    for (auto at = read.begin(); read.end() - at >= static_cast<std::ptrdiff_t>(kSegmentHeaderBytes); ++at) {
      at = std::find(at, read.end(), kSegmentMagic.front());
      const auto offset = static_cast<std::size_t>(at - read.begin());
      if (const auto header = readSegmentHeader(read.subspan(offset))) return SegmentEntry{from + offset, *header};
      if (at == read.end()) break;
    }
    from += read.size() - kSegmentHeaderBytes + 1;
  }
}

std::vector<SegmentEntry> RecordingFile::segments() {
  std::vector<SegmentEntry> found;
  std::array<std::byte, kSegmentHeaderBytes> bytes{};
  std::uint64_t at = 0;
  while (m_isCompressed) {
    const std::size_t size = readAt(at, bytes);
    const auto header = readSegmentHeader(std::span(bytes).first(size));
    std::optional<SegmentEntry> entry;
    if (header) entry = SegmentEntry{at, *header};
    if (!header && !found.empty() && size > 0) entry = findSegment(at);
    if (!entry) break;
    found.push_back(*entry);
    at = entry->offset + kSegmentHeaderBytes + entry->header.packedBytes;
  }
  return found;
}

std::optional<TraceAbout> aboutRecording(const std::filesystem::path& path) {
  const auto file = RecordingFile::openRegular(path);
  if (!file) return std::nullopt;
  TraceReader reader(PlaceId{0});
  reader.feed((*file)->next());
  for (int tries = 0; tries < kValuesBeforeAbout; ++tries) {
    const std::optional<TraceValue> value = reader.next();
    if (!value) break;
    if (const auto* about = std::get_if<TraceAbout>(&*value)) return *about;
  }
  return std::nullopt;
}

}  // namespace tcpscope
