#include "collectors/pcap/unpacking_source.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "collectors/pcap/file_format.h"

namespace tcpscope {

namespace {

constexpr std::size_t kBufferBytes = 64U << 10U;
/// By so many bytes gzip and zstd are known.
constexpr std::size_t kMagicBytes = 4;

Unexpected<CaptureFault> failed(CaptureFaultKind kind) {
  CaptureFault fault;
  fault.kind = kind;
  return Unexpected<CaptureFault>(fault);
}

}  // namespace

class UnpackingSource::Unpacker {
public:
  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;

  /// Takes from `in`, which it shortens, and gives how much it wrote to `out`. Nothing where the bytes cannot be
  /// unpacked.
  virtual std::optional<std::size_t> unpack(std::span<const std::byte>& in, std::span<std::byte> out) = 0;
  /// How many bytes the next unpack() shall find, unless there are no more.
  [[nodiscard]] virtual std::size_t wanted() const { return 1; }
  /// A packed piece has begun and is not complete.
  [[nodiscard]] bool isInside() const { return m_isInside; }
  /// What comes behind the last packed piece is something else: padding, a signature.
  [[nodiscard]] bool isOver() const { return m_isOver; }

protected:
  bool m_isInside = true;
  bool m_isOver = false;
};

/// RFC 1952, any number of members one behind the other.
class UnpackingSource::Gzip final : public Unpacker {
public:
  Gzip() { m_isReady = inflateInit2(&m_stream, kWindowBits) == Z_OK; }
  ~Gzip() override {
    if (m_isReady) inflateEnd(&m_stream);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::optional<std::size_t> unpack(std::span<const std::byte>& in, std::span<std::byte> out) override {
    if (!m_isReady) return std::nullopt;
    if (!m_isInside && !beginMember(in)) return std::size_t{0};
    // zlib does not write to what it reads, but does not say so.
    m_stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
    m_stream.avail_in = static_cast<uInt>(in.size());
    m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
    m_stream.avail_out = static_cast<uInt>(std::min(out.size(), kBufferBytes));
    const std::size_t room = m_stream.avail_out;
    const int result = inflate(&m_stream, Z_NO_FLUSH);
    in = in.last(m_stream.avail_in);
    const std::size_t written = room - m_stream.avail_out;
    if (result == Z_STREAM_END) m_isInside = false;
    // No progress is no damage: more bytes may come.
    const bool isFine = result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
    if (!isFine && written == 0) return std::nullopt;
    return written;
  }

private:
  /// 15 is the largest window, 16 says that there is a gzip header.
  static constexpr int kWindowBits = 15 + 16;

  bool beginMember(std::span<const std::byte>& in) {
    if (in.empty()) return false;
    m_isInside = in.front() == std::byte{0x1f};
    m_isOver = !m_isInside;
    return m_isInside && inflateReset(&m_stream) == Z_OK;
  }

  z_stream m_stream{};
  bool m_isReady = false;
};

class UnpackingSource::Zstd final : public Unpacker {
public:
  std::optional<std::size_t> unpack(std::span<const std::byte>& in, std::span<std::byte> out) override {
    if (!m_context) return std::nullopt;
    ZSTD_inBuffer from{in.data(), std::min(in.size(), wanted()), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(m_context.get(), &to, &from);
    if (ZSTD_isError(result) != 0) return std::nullopt;
    in = in.subspan(from.pos);
    m_step = result > kSmallStep + kBlockHeaderBytes ? result - kBlockHeaderBytes : 1;
    // 0: a packed piece is complete; another may follow.
    if (from.pos > 0 || to.pos > 0) m_isInside = result != 0;
    return to.pos;
  }
  [[nodiscard]] std::size_t wanted() const override { return std::min(m_step, kLargestStep); }

private:
  /// zstd says how many bytes complete the next block and the header behind it. It gets the block alone, and whole:
  /// what a call unpacks is lost where the same call finds damage, and it should not depend on how the bytes arrive
  /// what is lost.
  static constexpr std::size_t kBlockHeaderBytes = 3;
  /// Frames that are complete in so many bytes are unpacked at once; so they come byte by byte.
  static constexpr std::size_t kSmallStep = 32;
  /// Of a larger block, the pieces.
  static constexpr std::size_t kLargestStep = kBufferBytes / 2;

  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, FreeContext> m_context{ZSTD_createDCtx()};
  std::size_t m_step = 1;
};

UnpackingSource::UnpackingSource(std::unique_ptr<ByteSource> packed)
    : m_packed(std::move(packed)), m_buffer(kBufferBytes) {}

UnpackingSource::~UnpackingSource() = default;

/// Adds to what waits; the end is marked, not an error.
const std::optional<CaptureFault>& UnpackingSource::refill() {
  if (m_fault) return m_fault;
  std::copy(m_waiting.begin(), m_waiting.end(), m_buffer.begin());
  const std::size_t kept = m_waiting.size();
  m_waiting = std::span(m_buffer).first(kept);
  const auto count = m_packed->read(std::span(m_buffer).subspan(kept));
  if (!count) {
    m_fault = count.error();
    return m_fault;
  }
  m_isAtEnd = *count == 0;
  m_packedBytes += *count;
  m_waiting = std::span(m_buffer).first(kept + *count);
  return m_fault;
}

void UnpackingSource::choose() {
  while (m_waiting.size() < kMagicBytes && !m_isAtEnd && !refill()) {
  }
  m_isChosen = true;
  const FileFormat format = fileFormatOf(m_waiting);
  if (format == FileFormat::gzip) m_unpacker = std::make_unique<Gzip>();
  if (format == FileFormat::zstd) m_unpacker = std::make_unique<Zstd>();
}

Expected<std::size_t, CaptureFault> UnpackingSource::read(std::span<std::byte> out) {
  if (!m_isChosen) choose();
  return m_unpacker ? readPacked(out) : readPlain(out);
}

bool UnpackingSource::seek(std::uint64_t offset) {
  if (!m_isChosen || m_unpacker || !m_packed->seek(offset)) return false;
  m_waiting = {};
  m_fault.reset();
  m_isAtEnd = false;
  return true;
}

Expected<std::size_t, CaptureFault> UnpackingSource::readPlain(std::span<std::byte> out) {
  if (!m_waiting.empty()) {
    const std::size_t count = std::min(m_waiting.size(), out.size());
    std::copy_n(m_waiting.begin(), count, out.begin());
    m_waiting = m_waiting.subspan(count);
    return count;
  }
  if (m_isAtEnd) return std::size_t{0};
  if (m_fault) return Unexpected<CaptureFault>(*m_fault);
  auto count = m_packed->read(out);
  if (count) m_packedBytes += *count;
  return count;
}

Expected<std::size_t, CaptureFault> UnpackingSource::readPacked(std::span<std::byte> out) {
  while (true) {
    while (m_waiting.size() < m_unpacker->wanted() && !m_isAtEnd && !refill()) {
    }
    const std::size_t before = m_waiting.size();
    const std::optional<std::size_t> written = m_unpacker->unpack(m_waiting, out);
    if (!written) return failed(CaptureFaultKind::damagedCompression);
    if (*written > 0) return *written;
    if (m_unpacker->isOver()) return std::size_t{0};
    if (m_waiting.size() < before) continue;
    if (m_isAtEnd) {
      if (!m_unpacker->isInside()) return std::size_t{0};
      return failed(CaptureFaultKind::cut);
    }
    // Both take all that they are given, short of what they cannot use without more.
    if (const auto& fault = refill()) return Unexpected<CaptureFault>(*fault);
  }
}

}  // namespace tcpscope
