// `probe`: measures the losses of a path with packets of its own, between this program here and one at the other end.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/probe_sending.h"
#include "app/cli/resolved_host.h"
#include "app/probe/probe_listener.h"
#include "app/probe/ssh_listener.h"
#include "app/session/local_place.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/model/metric_words.h"
#include "core/present/json/probe_document.h"
#include "core/present/text/probe_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

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
  fmt::print("{}{}\n", kListenerPortWord, listener->port());
  if (const std::string address = addressOfSsh(); !address.empty()) fmt::print("{}{}\n", kListenerAddressWord, address);
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

ExitCode probe(const CommandOptions& options, const Endpoint& listener, const std::string& name,
               const ProbePlan& plan) {
  fmt::print(stderr, "Probing {} ({}): {}\n", forTerminal(UntrustedText(name)), listener.address.toString(),
             planText(plan));
  const WallTime start = wallNow();
  // At the end of standard input that program has ended, too.
  std::optional<Interruption> interruption;
  if (!options.probe.untilEof) interruption.emplace();
  const auto runs = sendProbe(listener, plan, interruption ? interruption->wakeDescriptor() : STDIN_FILENO);
  if (!runs) return failProbe(runs.error(), name);
  const ProbeAnalysis analysis = analyzeProbe(*runs);
  TextBuffer out;
  if (!options.json) appendAnalysis(out, analysis);
  const ExitCode written =
      writeOut(options.json ? toJson(analysis, UntrustedText(name), start) : std::string(out.data(), out.size()));
  if (written != ExitCode::done) return written;
  return analysis.verdict == ProbeVerdict::rejected ? ExitCode::notThere : ExitCode::done;
}

ExitCode probeThroughSsh(const CommandOptions& options, const ProbeTarget& target, const ProbePlan& plan) {
  const auto listener = SshListener::start(target, options.probe.untilEof ? STDIN_FILENO : -1);
  if (!listener) return fail(ExitCode::notThere, listener.error());
  // In sentences the host alone.
  return probe(options, listener->endpoint(), std::string(*sshAddress(target.name)), plan);
}

}  // namespace

void addProbeOptions(CLI::App& command, CommandOptions& options) {
  ProbeOptions& probe = options.probe;
  CLI::Option* const target =
      command.add_option("TARGET", probe.target, "HOST:PORT of a listener, or ssh://HOST to start one there")
          ->type_name("");
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
  CLI::Option* const mesh =
      command
          .add_option(
              "--mesh", probe.mesh,
              "Measure each pair of the hosts in this file, one after the other: ssh://HOST or HOST:PORT, one a line")
          ->excludes(target)
          ->excludes(listens)
          ->type_name("FILE");
  command
      .add_flag("--until-eof", probe.untilEof,
                "Stop at the end of standard input, or at any input: for a probe that another program starts")
      ->excludes(listens)
      ->excludes(mesh);
  command.add_flag("--json", options.json, "Print one JSON document")->excludes(listens);
}

ExitCode probeCommand(const CommandOptions& options) {
  if (options.probe.listens) return listen(options.probe);
  if (!options.probe.mesh.empty()) return probeMesh(options);
  const std::string& target = options.probe.target;
  if (target.empty()) {
    return fail(ExitCode::wrongUsage, "name the listener: HOST:PORT of 'tcpscope-cli probe --listen', or ssh://HOST");
  }
  const auto place = parseProbeTarget(target);
  if (!place) return fail(ExitCode::wrongUsage, place.error());
  const auto plan = planOf(options.probe);
  if (!plan) return ExitCode::wrongUsage;
  if (place->isSsh) return probeThroughSsh(options, *place, *plan);
  const auto addresses = resolveHost(place->address.host);
  if (!addresses) return addresses.error();
  return probe(options, {addresses->front(), place->port()}, target, *plan);
}

}  // namespace tcpscope
