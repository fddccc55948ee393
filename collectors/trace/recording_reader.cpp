#include "collectors/trace/recording_reader.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tcpscope {

namespace {

constexpr std::size_t kChunkBytes = 64U << 10U;
/// More than this a recording's compression never wants to look back over: 8 MiB.
constexpr int kLargestWindowLog = 23;
/// A hello comes first; behind so many other values there is none.
constexpr int kValuesBeforeHello = 64;

constexpr std::array<std::byte, 4> kZstdMagic = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};

}  // namespace

/// The bytes of the frames, whatever way they lie in the file.
class RecordingReader::Source {
public:
  explicit Source(int descriptor) : m_descriptor(descriptor), m_raw(kChunkBytes), m_plain(kChunkBytes) {
    readRaw();
    const std::span<const std::byte> begin(m_raw.data(), m_rawSize);
    m_isCompressed =
        begin.size() >= kZstdMagic.size() && std::equal(kZstdMagic.begin(), kZstdMagic.end(), begin.begin());
    m_isRecording = m_isCompressed || beginsWithFrame(begin);
    if (!m_isCompressed) return;
    m_context.reset(ZSTD_createDCtx());
    if (m_context) ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  }
  ~Source() { ::close(m_descriptor); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  [[nodiscard]] bool isRecording() const { return m_isRecording; }
  /// The next bytes; none at the end, and from where they cannot be unpacked.
  std::span<const std::byte> next() {
    if (m_rawAt == m_rawSize) readRaw();
    if (!m_isCompressed) {
      m_rawAt = m_rawSize;
      return {m_raw.data(), m_rawSize};
    }
    return unpack();
  }
  /// The end came in the middle of what was packed, or the bytes cannot be unpacked.
  [[nodiscard]] bool isCut() const { return m_isBroken || (m_isCompressed && m_isInside); }
  /// errno of a read that failed.
  [[nodiscard]] int errorNumber() const { return m_errorNumber; }

private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  void readRaw() {
    m_rawAt = 0;
    m_rawSize = 0;
    ssize_t count = -1;
    do {
      count = ::read(m_descriptor, m_raw.data(), m_raw.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) m_errorNumber = errno;
    if (count > 0) m_rawSize = static_cast<std::size_t>(count);
  }

  std::span<const std::byte> unpack() {
    while (m_context && !m_isBroken) {
      if (m_rawAt == m_rawSize) readRaw();
      ZSTD_inBuffer in{m_raw.data(), m_rawSize, m_rawAt};
      ZSTD_outBuffer out{m_plain.data(), m_plain.size(), 0};
      const std::size_t before = in.pos;
      const std::size_t result = ZSTD_decompressStream(m_context.get(), &out, &in);
      m_rawAt = in.pos;
      m_isBroken = ZSTD_isError(result) != 0;
      // 0: a packed piece is complete; another may follow.
      if (!m_isBroken && (in.pos != before || out.pos > 0)) m_isInside = result != 0;
      if (out.pos > 0) return {m_plain.data(), out.pos};
      if (m_rawSize == 0) break;
    }
    return {};
  }

  int m_descriptor;
  std::vector<std::byte> m_raw;
  std::size_t m_rawSize = 0;
  std::size_t m_rawAt = 0;
  std::vector<std::byte> m_plain;
  std::unique_ptr<ZSTD_DCtx, FreeContext> m_context;
  bool m_isCompressed = false;
  bool m_isRecording = false;
  bool m_isInside = false;
  bool m_isBroken = false;
  int m_errorNumber = 0;
};

RecordingReader::RecordingReader(std::unique_ptr<Source> source, PlaceId place)
    : m_source(std::move(source)), m_reader(place) {}

RecordingReader::~RecordingReader() = default;

Expected<std::unique_ptr<RecordingReader>, SystemError> RecordingReader::open(const std::filesystem::path& path,
                                                                              PlaceId place) {
  const UntrustedText name(path.string());
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Unexpected<SystemError>({SystemAttempt::openRecording, errno, name});
  std::unique_ptr<RecordingReader> reader(new RecordingReader(std::make_unique<Source>(descriptor), place));
  const Unexpected<SystemError> noRecording({SystemAttempt::readRecording, reader->m_source->errorNumber(), name});
  if (!reader->m_source->isRecording()) return noRecording;
  for (int tries = 0; tries < kValuesBeforeHello; ++tries) {
    const std::optional<TraceValue> value = reader->next();
    if (!value) break;
    const auto* hello = std::get_if<TraceHello>(&*value);
    if (hello == nullptr) continue;
    reader->m_hello = *hello;
    reader->m_hello.place.recording = UntrustedText(path.filename().string());
    return reader;
  }
  return noRecording;
}

std::optional<TraceValue> RecordingReader::next() {
  while (true) {
    if (std::optional<TraceValue> value = m_reader.next()) return value;
    if (m_isAtEnd) return tellCut();
    const std::span<const std::byte> bytes = m_source->next();
    m_reader.feed(bytes);
    if (!bytes.empty()) continue;
    m_isAtEnd = true;
    m_reader.end();
  }
}

/// A packed recording may end between two frames and still not be whole.
std::optional<TraceValue> RecordingReader::tellCut() {
  const bool isNews = m_source->isCut() && !m_isCutTold && !m_reader.damagedAt();
  m_isCutTold = true;
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
