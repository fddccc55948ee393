// `capture`: the headers of this machine's packets into a pcapng file, until the time is over or Ctrl+C; by libpcap, or
// through dumpcap where only that may.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <cerrno>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/output_file.h"
#include "app/session/local_place.h"
#include "collectors/pcap/capture_stream.h"
#include "collectors/pcap/dumpcap_process.h"
#include "collectors/sock_diag/network_namespace.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
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

class CaptureRun {
public:
  CaptureRun(const CommandOptions& options, LiveCapture& capture, OutputFile& output)
      : m_options(options),
        m_capture(capture),
        m_output(output),
        m_stream(capture, output.descriptor(), settingsOf(options)) {}

  /// The end of a pipe that nothing is read from any more shows without a packet that could not be written.
  [[nodiscard]] bool hasReader() const {
    pollfd entry{m_output.descriptor(), 0, 0};
    return poll(&entry, 1, 0) <= 0 || (entry.revents & POLLERR) == 0;
  }

  ExitCode run() {
    // From its first block on it is a capture, which another program can read along.
    if (const auto taken = m_output.takeName(); !taken) return fail(taken.error());
    const Interruption interruption;
    const Moment began = monotonicNow();
    const bool hasEnd = m_options.recordSeconds.has_value();
    const Moment end = began + Milliseconds(static_cast<std::int64_t>(m_options.recordSeconds.value_or(0.0) * 1e3));
    while (!interruption.happened() && !(hasEnd && monotonicNow() >= end) && m_stream.lost() == Count(0) &&
           hasReader()) {
      if (const auto failed = m_stream.writeWaiting()) return fail(ExitCode::systemFailed, sentence(*failed));
      const Moment next = monotonicNow() + kFlushInterval;
      interruption.waitUntil(hasEnd ? std::min(next, end) : next, m_capture.wakeDescriptor());
    }
    if (const auto failed = m_stream.writeWaiting()) return fail(ExitCode::systemFailed, sentence(*failed));
    return reportEnd(monotonicNow() - began);
  }

private:
  ExitCode reportEnd(Nanoseconds span) {
    m_stream.finish();
    if (m_stream.lost() > Count(0)) {
      return fail(m_output.error(ENOSPC));
    }
    const auto dropped = m_stream.dropped();
    const std::string missing = dropped ? fmt::format("{} dropped by the capture", dropped->value()) : "drops unknown";
    fmt::print(stderr, "{}: {:.1f} s, {} packets, {}\n", forTerminal(m_options.output), toSeconds(span),
               m_stream.packets(), missing);
    return ExitCode::done;
  }

  const CommandOptions& m_options;
  LiveCapture& m_capture;
  OutputFile& m_output;
  CaptureStream m_stream;
};

/// True where it is in another namespace from now on.
Expected<bool, SystemError> enterNamespace(const CommandOptions& options) {
  std::string path;
  std::string name;
  if (options.namespaceDescriptor) {
    path = fmt::format("/proc/self/fd/{}", *options.namespaceDescriptor);
    // As lsns shows it.
    struct stat status {};
    if (fstat(*options.namespaceDescriptor, &status) == 0) name = std::to_string(status.st_ino);
  } else if (options.networkNamespace) {
    name = *options.networkNamespace;
    const auto where = NetworkNamespace::parse(name);
    if (!where) return Unexpected<SystemError>({SystemAttempt::openNamespace, EINVAL, UntrustedText(name)});
    path = where->path();
  } else {
    return false;
  }
  if (enterNetworkNamespace(path.c_str())) return true;
  return Unexpected<SystemError>({SystemAttempt::enterNamespace, errno, UntrustedText(name)});
}

/// Absent where dumpcap is not installed, or this user may not run it or capture with it.
std::optional<ExitCode> runDumpcap(const CommandOptions& options, OutputFile& output) {
  DumpcapSettings settings;
  settings.capture = settingsOf(options);
  // Whole seconds, and none would be refused.
  if (options.recordSeconds)
    settings.seconds = static_cast<std::uint32_t>(std::ceil(std::max(*options.recordSeconds, 1.0)));
  // Ctrl+C reaches both: dumpcap writes its last block and ends, and this command waits for that.
  const Interruption interruption;
  auto dumpcap = startDumpcap(settings, ChildStream::to(output.descriptor()));
  if (!dumpcap) return std::nullopt;
  std::optional<ExitStatus> ended;
  while (!(ended = dumpcap->waitFor(kFlushInterval))) {
    if (!output.waitsForName()) continue;
    if (const auto taken = output.takeName(); !taken) return fail(taken.error());
  }
  if (!ended->isSuccess()) return std::nullopt;
  if (const auto taken = output.takeName(); !taken) return fail(taken.error());
  return ExitCode::done;
}

}  // namespace

ExitCode captureCommand(const CommandOptions& options) {
  const OwnedDescriptor own(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  const auto entered = enterNamespace(options);
  if (!entered) return fail(entered.error());
  const auto capture = LiveCapture::open(settingsOf(options));
  if (*entered && capture) leaveNetworkNamespace(own);
  const bool mayNot = !capture && capture.error().kind == LiveCaptureErrorKind::missingRight;
  if (!capture && !mayNot) {
    const bool isWrong = capture.error().kind == LiveCaptureErrorKind::badFilter;
    const bool isAbsent = capture.error().kind == LiveCaptureErrorKind::noSuchInterface;
    const ExitCode code = isWrong ? ExitCode::wrongUsage : isAbsent ? ExitCode::notThere : ExitCode::systemFailed;
    return fail(code, sentence(capture.error()));
  }
  auto output = OutputFile::create(options.output, SystemAttempt::writeRecording);
  if (!output) return fail(output.error());
  if (!mayNot) return CaptureRun(options, **capture, *output).run();
  if (const auto code = runDumpcap(options, *output)) return *code;
  return fail(ExitCode::missingRight, sentence(capture.error()));
}

}  // namespace tcpscope
