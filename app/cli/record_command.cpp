// `record`: a local agent whose frames go to a file, until the time limit or Ctrl+C.
// `agent`: the far end of a connection to another tcpscope, behind ssh or a pipe, which is tcpscope-agent.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/text_output.h"
#include "app/remote/agent.h"
#include "app/remote/command_line_program.h"
#include "app/session/packets_beside.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/recording_output.h"
#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

/// Often enough to say within seconds that a medium failed, seldom enough for one that is slow.
constexpr Nanoseconds kBetweenSyncs = std::chrono::seconds(2);

/// One request that never changes; an interruption ends it.
class SteadyRequest final : public RequestSource {
public:
  SteadyRequest(const CollectorRequest& request, const Interruption& interruption, std::stop_source& stop)
      : m_request(request), m_interruption(interruption), m_stop(stop) {}

  [[nodiscard]] int wakeDescriptor() const override { return m_interruption.wakeDescriptor(); }
  CollectorRequest take() override {
    if (m_interruption.happened()) m_stop.request_stop();
    return m_request;
  }

private:
  CollectorRequest m_request;
  const Interruption& m_interruption;
  std::stop_source& m_stop;
};

CollectorRequest requestFor(const CommandOptions& options, const ConnectionFilter& filter) {
  CollectorRequest request;
  request.listInterval = Milliseconds(static_cast<std::int64_t>(options.recordIntervalSeconds * 1000));
  request.stateMask = filter.stateMask();
  request.filter = filter.root();
  return request;
}

RecordingSettings recordingSettings(const CommandOptions& options) {
  RecordingSettings settings{monotonicNow};
  settings.limits.bytes = options.maxBytes;
  if (options.maxAgeSeconds) settings.limits.age = nanosecondsOf(*options.maxAgeSeconds);
  settings.note = UntrustedText(options.note);
  settings.syncEvery = kBetweenSyncs;
  return settings;
}

/// Null where no packets are recorded.
Expected<std::unique_ptr<PacketsBeside>, LiveCaptureError> startPackets(const CommandOptions& options) {
  if (!options.packetsFilter) return nullptr;
  LiveCaptureSettings settings;
  settings.filter = *options.packetsFilter;
  return PacketsBeside::start(settings, options.output);
}

ExitCode fail(const LiveCaptureError& error) {
  const bool isFilter = error.kind == LiveCaptureErrorKind::badFilter;
  const bool isRight = error.kind == LiveCaptureErrorKind::missingRight;
  const ExitCode code = isFilter ? ExitCode::wrongUsage : isRight ? ExitCode::missingRight : ExitCode::systemFailed;
  return fail(code, sentence(error));
}

ExitCode reportEnd(const CommandOptions& options, Nanoseconds span, const RecordingOutput& output,
                   PacketsBeside* packets) {
  TextBuffer text;
  fmt::format_to(std::back_inserter(text), "{}: {:.1f} s, ", forTerminal(options.output), toSeconds(span));
  appendBytes(text, output.bytesInAll());
  text.push_back('\n');
  if (packets != nullptr) {
    const PacketRecorderState recorded = packets->finish();
    if (recorded.error) return fail(*recorded.error);
    const UntrustedText file(packetsBeside(options.output).string());
    fmt::format_to(std::back_inserter(text), "{}\n",
                   recordedPacketsSentence(recorded.packets, recorded.leftOut, PacketRecorder::kBudget, file));
  }
  return writeOut({text.data(), text.size()});
}

}  // namespace

ExitCode recordCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  // A limit of the shell's on the size of files then fails the write, as any full medium does.
  std::signal(SIGXFSZ, SIG_IGN);
  if (options.packetsFilter && options.output == "-") {
    return fail(ExitCode::wrongUsage, "--packets needs a file, beside which packets are written");
  }
  const auto packets = startPackets(options);
  if (!packets) return fail(packets.error());
  const auto output = RecordingOutput::create(options.output, recordingSettings(options));
  if (!output) return fail(output.error());
  const auto agent =
      Agent::open(*place, **output, !options.noResolve, options.anonymize ? Agent::Names::hidden : Agent::Names::kept);
  if (!agent) return fail(agent.error());

  const Interruption interruption;
  std::stop_source stop;
  SteadyRequest request(requestFor(options, *filter), interruption, stop);
  const Moment began = monotonicNow();
  const auto ran = (*agent)->run(stop.get_token(), request, [&] {
    const bool isOver = options.recordSeconds && toSeconds(monotonicNow() - began) >= *options.recordSeconds;
    if (isOver || (*output)->errorNumber() != 0) stop.request_stop();
  });
  if (!ran) return fail(ran.error());
  if (!(*output)->finish()) {
    return fail(SystemError{SystemAttempt::writeRecording, (*output)->errorNumber(), UntrustedText(options.output)});
  }
  return reportEnd(options, monotonicNow() - began, **output, packets->get());
}

ExitCode agentCommand(const CommandOptions& options) {
  if (isatty(STDOUT_FILENO) == 1) {
    return fail(ExitCode::wrongUsage,
                "an agent serves another tcpscope, not a terminal; use 'tcpscope-cli watch' to see the connections of "
                "this host");
  }
  const auto agent = agentBeside("/proc/self/exe");
  if (agent) {
    std::vector<const char*> words = {"tcpscope-agent"};
    if (options.noResolve) words.push_back("--no-resolve");
    if (options.networkNamespace) words.push_back("--netns=all");
    words.push_back(nullptr);
    execv(agent->c_str(), const_cast<char* const*>(words.data()));
  }
  return fail(
      ExitCode::systemFailed,
      "tcpscope-agent, which belongs beside tcpscope-cli, cannot be run; install the package tcpscope-cli again");
}

}  // namespace tcpscope
