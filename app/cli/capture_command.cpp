// `capture`: the headers of this machine's packets into a pcapng file, until the time is over or Ctrl+C; by libpcap, or
// through dumpcap where only that may.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/session/local_place.h"
#include "collectors/pcap/capture_writer.h"
#include "collectors/pcap/dumpcap_process.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/system/owned_descriptor.h"
#include "core/present/text/capture_text.h"

namespace tcpscope {

namespace {

/// Captured packets are written to the file at least this often, so that another program can read along.
constexpr Milliseconds kFlushInterval{200};

LiveCaptureSettings settingsOf(const CommandOptions& options) {
  LiveCaptureSettings settings;
  settings.interface = options.interface;
  settings.filter = options.filterText;
  return settings;
}

/// The file, or standard output for "-". The file keeps its contents until there is something to write.
Expected<OwnedDescriptor, SystemError> openOutput(const std::string& name) {
  OwnedDescriptor file(name == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!file) return Unexpected<SystemError>({SystemAttempt::writeRecording, errno, UntrustedText(name)});
  return file;
}

/// What stood in the file before, behind what was written now. Standard output may be no file.
void endFileHere(int file) {
  const off_t here = lseek(file, 0, SEEK_CUR);
  if (here >= 0 && ftruncate(file, here) != 0) return;
}

class CaptureRun {
public:
  CaptureRun(const CommandOptions& options, LiveCapture& capture, int file)
      : m_options(options),
        m_capture(capture),
        m_writer(file, capture.linkType(), options.interface, settingsOf(options).snapLength) {}

  ExitCode run(int file) {
    endFileHere(file);
    const Interruption interruption;
    const Moment began = monotonicNow();
    const bool hasEnd = m_options.recordSeconds.has_value();
    const Moment end = began + Milliseconds(static_cast<std::int64_t>(m_options.recordSeconds.value_or(0.0) * 1e3));
    while (!interruption.happened() && !(hasEnd && monotonicNow() >= end) && m_writer.lost() == Count(0)) {
      if (const auto failed = takeWaiting()) return fail(ExitCode::systemFailed, sentence(*failed));
      m_writer.flush();
      const Moment next = monotonicNow() + kFlushInterval;
      interruption.waitUntil(hasEnd ? std::min(next, end) : next, m_capture.wakeDescriptor());
    }
    if (const auto failed = takeWaiting()) return fail(ExitCode::systemFailed, sentence(*failed));
    return reportEnd(monotonicNow() - began);
  }

private:
  std::optional<LiveCaptureError> takeWaiting() {
    while (true) {
      const auto frame = m_capture.next();
      if (!frame) return frame.error();
      if (*frame == nullptr) return std::nullopt;
      m_writer.write((*frame)->time.value_or(WallTime()), (*frame)->bytes, (*frame)->wireBytes);
      ++m_packets;
    }
  }

  ExitCode reportEnd(Nanoseconds span) {
    const auto counts = m_capture.counts();
    const Count dropped = counts ? counts->droppedByRing + counts->droppedByInterface : Count(0);
    // Without figures there is no block of them: a zero would say that nothing was dropped.
    if (counts) m_writer.finish(wallNow(), counts->received, dropped);
    m_writer.flush();
    if (m_writer.lost() > Count(0)) {
      return fail(SystemError{SystemAttempt::writeRecording, ENOSPC, UntrustedText(m_options.output)});
    }
    const std::string missing = counts ? fmt::format("{} dropped by the capture", dropped.value()) : "drops unknown";
    fmt::print(stderr, "{}: {:.1f} s, {} packets, {}\n", m_options.output, toSeconds(span), m_packets, missing);
    return ExitCode::done;
  }

  const CommandOptions& m_options;
  LiveCapture& m_capture;
  CaptureWriter m_writer;
  std::uint64_t m_packets = 0;
};

/// Absent where dumpcap is not installed, or this user may not run it or capture with it.
std::optional<ExitCode> runDumpcap(const CommandOptions& options, int file) {
  DumpcapSettings settings;
  settings.capture = settingsOf(options);
  // Whole seconds, and none would be refused.
  if (options.recordSeconds)
    settings.seconds = static_cast<std::uint32_t>(std::ceil(std::max(*options.recordSeconds, 1.0)));
  // Ctrl+C reaches both: dumpcap writes its last block and ends, and this command waits for that.
  const Interruption interruption;
  auto dumpcap = startDumpcap(settings, ChildStream::to(file));
  if (!dumpcap || !dumpcap->wait().isSuccess()) return std::nullopt;
  endFileHere(file);
  return ExitCode::done;
}

}  // namespace

ExitCode captureCommand(const CommandOptions& options) {
  const auto capture = LiveCapture::open(settingsOf(options));
  const bool mayNot = !capture && capture.error().kind == LiveCaptureErrorKind::missingRight;
  if (!capture && !mayNot) {
    const bool isWrong = capture.error().kind == LiveCaptureErrorKind::badFilter;
    const bool isAbsent = capture.error().kind == LiveCaptureErrorKind::noSuchInterface;
    const ExitCode code = isWrong ? ExitCode::wrongUsage : isAbsent ? ExitCode::notThere : ExitCode::systemFailed;
    return fail(code, sentence(capture.error()));
  }
  const auto file = openOutput(options.output);
  if (!file) return fail(file.error());
  if (!mayNot) return CaptureRun(options, **capture, file->get()).run(file->get());
  if (const auto code = runDumpcap(options, file->get())) return *code;
  return fail(ExitCode::missingRight, sentence(capture.error()));
}

}  // namespace tcpscope
