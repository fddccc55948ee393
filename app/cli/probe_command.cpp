// `probe`: measures the losses of a path with packets of its own, between this program here and one at the other end.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/resolved_host.h"
#include "app/probe/probe_listener.h"
#include "app/probe/probe_sender.h"
#include "app/remote/ssh_command.h"
#include "app/session/local_place.h"
#include "collectors/system/child_process.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/model/metric_words.h"
#include "core/present/json/probe_document.h"
#include "core/present/text/probe_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// What a listener that another program starts prints first.
constexpr std::string_view kPortWord = "port ";
constexpr std::string_view kAddressWord = "address ";

ExitCode codeOf(const ProbeError& error) {
  switch (error.kind) {
    case ProbeError::Kind::systemFailed:
    case ProbeError::Kind::interrupted:
      return ExitCode::systemFailed;
    case ProbeError::Kind::notAProbe:
      return ExitCode::badInput;
    case ProbeError::Kind::refused:
      return ExitCode::refused;
    case ProbeError::Kind::unreachable:
    case ProbeError::Kind::silent:
    case ProbeError::Kind::ended:
      break;
  }
  return ExitCode::notThere;
}

ExitCode failProbe(const ProbeError& error, const std::string& host) {
  return fail(codeOf(error), sentence(error, UntrustedText(host)));
}

// The listening end.

/// In a session of ssh: this host's address, as the other host reaches it.
std::string addressOfSsh() {
  const char* connection = std::getenv("SSH_CONNECTION");
  const std::string words = connection == nullptr ? "" : connection;
  // Address and port of the client, then of the server.
  const std::size_t second = words.find(' ', std::min(words.find(' '), words.size() - 1) + 1);
  if (words.empty() || second == std::string::npos) return {};
  const std::size_t end = words.find(' ', second + 1);
  const auto address = IpAddress::parse(words.substr(second + 1, end - second - 1));
  return address ? address->toString() : std::string();
}

ExitCode listen(const ProbeOptions& options) {
  const Interruption interruption;
  auto listener = ProbeListener::open(options.port, interruption.wakeDescriptor());
  if (!listener) {
    return fail(ExitCode::systemFailed, fmt::format("cannot listen on port {}: {}; choose another one with --port",
                                                    options.port, sentence(listener.error(), UntrustedText())));
  }
  fmt::print("{}{}\n", kPortWord, listener->port());
  if (const std::string address = addressOfSsh(); !address.empty()) fmt::print("{}{}\n", kAddressWord, address);
  std::fflush(stdout);
  if (isatty(STDERR_FILENO) == 1) {
    fmt::print(stderr, "Waiting for 'tcpscope-cli probe HOST:{}', TCP and UDP; Ctrl+C ends.\n", listener->port());
  }
  // One that another program started ends where no sender connects.
  const auto until = options.once ? std::optional(monotonicNow() + std::chrono::minutes(1)) : std::nullopt;
  while (true) {
    const auto served = listener->serveOne(until);
    if (!served && served.error().kind == ProbeError::Kind::interrupted) return ExitCode::done;
    if (served) {
      fmt::print(stderr, "{}: {} runs\n", served->sender.address.unmapped().toString(), served->runs.size());
    } else if (served.error().kind == ProbeError::Kind::silent && options.once) {
      return fail(ExitCode::notThere, "no sender connected within a minute, or it fell silent");
    } else {
      fail(ExitCode::notThere, "a connection ended without a measurement");
    }
    if (options.once) return served ? ExitCode::done : ExitCode::notThere;
  }
}

// The sending end.

std::optional<std::uint16_t> portOf(std::string_view word) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
  const bool isWhole = error == std::errc() && end == word.data() + word.size() && port != 0;
  return isWhole ? std::optional(port) : std::nullopt;
}

/// How many packets are sent, on one line of a terminal that is wiped in the end.
class SendingLine {
public:
  explicit SendingLine(const std::array<ProbeRunPlan, 2>& plan) : m_plan(plan) {}
  ~SendingLine() {
    if (m_isShown) fmt::print(stderr, "\r\x1b[K");
  }
  void show(const ProbeRunPlan& run, std::uint32_t sent) {
    if (!m_isTerminal || monotonicNow() < m_next) return;
    m_next = monotonicNow() + Milliseconds(500);
    const auto left = run.interval * (run.packets - sent) + (run == m_plan[0] ? m_plan[1].time() : Nanoseconds(0));
    fmt::print(stderr, "\r\x1b[K{} of {} packets of {} bytes sent; {} left", formatCount(sent),
               formatCount(run.packets), run.packetSize.value(), formatTime(toSeconds(left)));
    std::fflush(stderr);
    m_isShown = true;
  }

private:
  const std::array<ProbeRunPlan, 2>& m_plan;
  bool m_isTerminal = isatty(STDERR_FILENO) == 1;
  bool m_isShown = false;
  Moment m_next = monotonicNow();
};

void appendAnalysis(TextBuffer& out, const ProbeAnalysis& analysis) {
  line(out, "{}", sentence(analysis));
  if (analysis.rtt && analysis.minRtt) {
    appendItem(out, "RTT",
               fmt::format("median {}, minimum {}", formatTime(toSeconds(*analysis.rtt)),
                           formatTime(toSeconds(*analysis.minRtt))));
  }
  for (const ProbeRunFigures& run : analysis.runs) {
    const std::string size = fmt::format("{} bytes", run.plan.packetSize.value());
    appendItem(out, size, sentence(run));
    if (run.reordered > 0 || run.duplicates > 0) {
      appendItem(out, "",
                 fmt::format("{} reordered, {} duplicates.", formatCount(run.reordered), formatCount(run.duplicates)));
    }
  }
  if (analysis.withinHundredthRtt && analysis.poissonWithinHundredthRtt) {
    appendItem(
        out, "bursts",
        fmt::format("{} of the losses are within 0.01 RTT of the previous one; Poisson {}.",
                    formatRatio(*analysis.withinHundredthRtt), formatRatio(*analysis.poissonWithinHundredthRtt)));
  }
}

Expected<std::array<ProbeRun, 2>, ProbeError> measure(const Endpoint& listener,
                                                      const std::array<ProbeRunPlan, 2>& plan) {
  const Interruption interruption;
  auto sender = ProbeSender::connect(listener, interruption.wakeDescriptor());
  if (!sender) return Unexpected<ProbeError>(sender.error());
  SendingLine progress(plan);
  std::array<ProbeRun, 2> runs;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    auto measured =
        sender->run(plan[run], [&](const ProbeRunPlan& one, std::uint32_t sent) { progress.show(one, sent); });
    if (!measured) return Unexpected<ProbeError>(measured.error());
    runs[run] = std::move(*measured);
  }
  sender->finish();
  return runs;
}

ExitCode probe(const CommandOptions& options, const Endpoint& listener, const std::string& name) {
  // Neither infinity nor what is no number becomes a time.
  const double seconds = options.probe.seconds;
  const bool isTime = seconds >= 0.0 && seconds <= toSeconds(kMostProbeTime);
  const auto time = Nanoseconds(isTime ? static_cast<std::int64_t>(seconds * 1e9) : 0);
  const auto plan = probePlan(options.probe.rate, time);
  if (!plan) {
    return fail(ExitCode::wrongUsage,
                fmt::format("probe sends {} to {} for {} to {}; change --rate or --for", formatRate(kLeastProbeRate),
                            formatRate(kMostProbeRate), formatTime(toSeconds(kLeastProbeTime)),
                            formatTime(toSeconds(kMostProbeTime))));
  }
  fmt::print(stderr, "Probing {} ({}): {}\n", forTerminal(UntrustedText(name)), listener.address.toString(),
             planText(*plan));
  const WallTime start = wallNow();
  const auto runs = measure(listener, *plan);
  if (!runs) return failProbe(runs.error(), name);
  const ProbeAnalysis analysis = analyzeProbe(*runs);
  TextBuffer out;
  if (!options.json) appendAnalysis(out, analysis);
  const ExitCode written =
      writeOut(options.json ? toJson(analysis, UntrustedText(name), start) : std::string(out.data(), out.size()));
  if (written != ExitCode::done) return written;
  return analysis.verdict == ProbeVerdict::rejected ? ExitCode::notThere : ExitCode::done;
}

/// The first lines of a listener that was started: where it listens.
struct StartedListener {
  std::uint16_t port = 0;
  std::string address;
};

/// Until both lines have come, the output ends, or a minute has passed: a password may have to be typed.
StartedListener readStart(int output) {
  StartedListener started;
  std::string text;
  const Moment deadline = monotonicNow() + std::chrono::minutes(1);
  constexpr std::size_t kMostBytes = 4096;
  while (text.size() < kMostBytes && monotonicNow() < deadline) {
    pollfd waiting{output, POLLIN, 0};
    if (poll(&waiting, 1, 500) <= 0) continue;
    std::array<char, 256> bytes{};
    const ssize_t count = read(output, bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    const std::size_t address = text.find('\n' + std::string(kAddressWord));
    if (address != std::string::npos && text.find('\n', address + 1) != std::string::npos) break;
  }
  const auto lineBehind = [&](std::string_view word) {
    // At the beginning of a line: a banner may come before.
    std::size_t begin = text.starts_with(word) ? 0 : text.find('\n' + std::string(word));
    if (begin == std::string::npos) return std::string();
    begin += text[begin] == '\n' ? 1U : 0U;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    return text.substr(begin + word.size(), end - begin - word.size());
  };
  started.port = portOf(lineBehind(kPortWord)).value_or(0);
  started.address = lineBehind(kAddressWord);
  return started;
}

ExitCode probeThroughSsh(const CommandOptions& options, std::string_view host) {
  const auto address = parseSshAddress(host);
  if (!address) {
    return fail(ExitCode::wrongUsage,
                fmt::format("'{}' is not a host; use ssh://HOST", forTerminal(UntrustedText(std::string(host)))));
  }
  ChildCommand command;
  command.arguments = sshWords(*address, SshManner::inTerminal);
  for (std::string& word : wordsForThere({"tcpscope-cli", "probe", "--listen", "--once"})) {
    command.arguments.push_back(std::move(word));
  }
  command.output = ChildStream::pipe();
  auto ssh = ChildProcess::start(command);
  if (!ssh) return fail(ExitCode::systemFailed, "cannot start ssh; install the package openssh-client");
  const StartedListener started = readStart(ssh->output().get());
  const auto at = IpAddress::parse(started.address);
  if (started.port == 0 || !at) {
    return fail(
        ExitCode::notThere,
        fmt::format("{} started no listener; see that 'ssh ssh://{} tcpscope-cli probe --listen' works in a terminal",
                    forTerminal(UntrustedText(std::string(host))), forTerminal(UntrustedText(std::string(host)))));
  }
  return probe(options, {*at, started.port}, std::string(host));
}

}  // namespace

void addProbeOptions(CLI::App& command, CommandOptions& options) {
  ProbeOptions& probe = options.probe;
  CLI::Option* const target =
      command.add_option("TARGET", probe.target, "HOST:PORT of a listener, or ssh://HOST to start one there");
  CLI::Option* const listens =
      command.add_flag("--listen", probe.listens, "Be the listener: count what a sender sends")->excludes(target);
  command.add_option("--port", probe.port, "TCP and UDP port to listen on; by default one that is free")
      ->needs(listens)
      ->type_name("PORT");
  command.add_flag("--once", probe.once, "End after one sender")->needs(listens);
  command
      .add_option_function<std::string>(
          "--rate",
          [&probe](const std::string& word) {
            const auto rate = wantedValue(Metric::pacingRate, word);
            if (!rate) throw CLI::ValidationError("--rate", fmt::format("takes a rate such as 1Mbit, not '{}'", word));
            probe.rate = BitsPerSecond(*rate);
          },
          "Rate of the larger packets, 10kbit to 10Mbit; by default 1Mbit")
      ->excludes(listens)
      ->type_name("RATE");
  command.add_option("--for", probe.seconds, "Seconds that it takes, 2 to 600")
      ->excludes(listens)
      ->capture_default_str()
      ->type_name("SECONDS");
  command.add_flag("--json", options.json, "Print one JSON document")->excludes(listens);
}

ExitCode probeCommand(const CommandOptions& options) {
  if (options.probe.listens) return listen(options.probe);
  const std::string& target = options.probe.target;
  if (target.empty()) {
    return fail(ExitCode::wrongUsage, "name the listener: HOST:PORT of 'tcpscope-cli probe --listen', or ssh://HOST");
  }
  if (const auto host = sshAddress(target)) return probeThroughSsh(options, *host);
  // As an address of ssh is written: HOST:PORT and [ADDRESS]:PORT.
  const auto place = parseSshAddress(target);
  const auto port = place && place->user.empty() ? portOf(place->port) : std::nullopt;
  if (!port) {
    return fail(ExitCode::wrongUsage,
                fmt::format("'{}' is no HOST:PORT; 'tcpscope-cli probe --listen' there prints its port",
                            forTerminal(UntrustedText(target))));
  }
  const auto addresses = resolveHost(place->host);
  if (!addresses) return addresses.error();
  return probe(options, {addresses->front(), *port}, target);
}

}  // namespace tcpscope
