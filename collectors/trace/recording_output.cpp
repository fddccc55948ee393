#include "collectors/trace/recording_output.h"

#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>

#include "core/base/units.h"

namespace tcpscope {

namespace {

constexpr Nanoseconds kLongestWait = std::chrono::milliseconds(500);
/// A reader needs as much memory as this: 4 MiB.
constexpr int kWindowLog = 22;
constexpr int kLevel = 3;

}  // namespace

void RecordingOutput::FreeContext::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

Expected<std::unique_ptr<RecordingOutput>, SystemError> RecordingOutput::create(const std::filesystem::path& path,
                                                                                std::function<Moment()> now) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return Unexpected<SystemError>({SystemAttempt::writeRecording, errno, UntrustedText(path.string())});
  }
  std::unique_ptr<RecordingOutput> output(new RecordingOutput(descriptor, std::move(now)));
  if (!output->m_context) {
    return Unexpected<SystemError>({SystemAttempt::writeRecording, ENOMEM, UntrustedText(path.string())});
  }
  return output;
}

RecordingOutput::RecordingOutput(int descriptor, std::function<Moment()> now)
    : m_descriptor(descriptor),
      m_now(std::move(now)),
      m_context(ZSTD_createCCtx()),
      m_block(ZSTD_CStreamOutSize()),
      m_flushedAt(m_now()) {
  if (!m_context) return;
  ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_windowLog, kWindowLog);
  ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_checksumFlag, 1);
}

RecordingOutput::~RecordingOutput() {
  finish();
  ::close(m_descriptor);
}

bool RecordingOutput::flush() {
  if (m_isFinished || m_errorNumber != 0) return false;
  const Moment now = m_now();
  const bool isDue = now - m_flushedAt >= kLongestWait;
  if (isDue) m_flushedAt = now;
  return compress(isDue ? Reach::everything : Reach::whatIsFull);
}

bool RecordingOutput::finish() {
  if (m_isFinished || m_errorNumber != 0) return m_errorNumber == 0;
  m_isFinished = true;
  return compress(Reach::end);
}

bool RecordingOutput::compress(Reach reach) {
  const ZSTD_EndDirective directive = reach == Reach::end          ? ZSTD_e_end
                                      : reach == Reach::everything ? ZSTD_e_flush
                                                                   : ZSTD_e_continue;
  ZSTD_inBuffer in{m_bytes.data(), m_bytes.size(), 0};
  std::size_t left = 1;
  while (left != 0 && m_errorNumber == 0) {
    ZSTD_outBuffer out{m_block.data(), m_block.size(), 0};
    left = ZSTD_compressStream2(m_context.get(), &out, &in, directive);
    if (ZSTD_isError(left) != 0) m_errorNumber = EIO;
    if (m_errorNumber == 0) write(m_block.data(), out.pos);
    // Without an order to flush, what stays inside is meant to.
    if (reach == Reach::whatIsFull && in.pos == in.size) break;
  }
  m_bytes.clear();
  return m_errorNumber == 0;
}

bool RecordingOutput::write(const std::byte* from, std::size_t size) {
  while (size > 0 && m_errorNumber == 0) {
    const ssize_t taken = ::write(m_descriptor, from, size);
    if (taken < 0 && errno != EINTR) m_errorNumber = errno;
    if (taken <= 0) continue;
    from += taken;
    size -= static_cast<std::size_t>(taken);
    m_written += static_cast<std::uint64_t>(taken);
  }
  return m_errorNumber == 0;
}

}  // namespace tcpscope
