#include "app/cli/command_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/session/local_place.h"
#include "core/model/metric_words.h"

namespace tcpscope {

namespace {

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// An option that takes one of some words. Checked here, so that a refusal says in words of ours what it takes.
template <class Value>
void addChoice(CLI::App& command, const std::string& option, Value& chosen, const Choices<Value>& choices,
               const std::string& what) {
  std::string words;
  for (const auto& [word, value] : choices) words += (words.empty() ? "" : "|") + word;
  command
      .add_option_function<std::string>(
          option,
          [&chosen, choices, option, words](const std::string& given) {
            const std::string wanted = CLI::detail::to_lower(given);
            for (const auto& [word, value] : choices) {
              if (word != wanted) continue;
              chosen = value;
              return;
            }
            throw CLI::ValidationError(option, "takes " + words);
          },
          what)
      ->type_name(words);
}

/// The reason against it; empty for a whole number of 1 and more.
std::string whyNoCount(const std::string& word) {
  const bool isNumber = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  const bool isPositive = word.find_first_not_of('0') != std::string::npos;
  return isNumber && isPositive ? "" : "takes a whole number, 1 or more";
}

bool mentionsOwner(const FilterNode& node) {
  const auto anyOf = [](const std::vector<FilterPointer>& parts) {
    for (const FilterPointer& part : parts) {
      if (mentionsOwner(*part)) return true;
    }
    return false;
  };
  if (const auto* all = std::get_if<FilterAnd>(&node.node)) return anyOf(all->parts);
  if (const auto* some = std::get_if<FilterOr>(&node.node)) return anyOf(some->parts);
  if (const auto* negation = std::get_if<FilterNot>(&node.node)) return mentionsOwner(*negation->part);
  if (const auto* text = std::get_if<FilterText>(&node.node)) return text->field != TextField::congestionControl;
  if (const auto* number = std::get_if<FilterNumber>(&node.node)) return number->field == FilterNumber::Field::pid;
  return false;
}

/// Of what watches; what changes or records something takes one.
void addNamespacesOption(CLI::App& command, CommandOptions& options) {
  command
      .add_option("--netns", options.networkNamespace,
                  "Use this network namespace: a name, a PID, or 'all' for every one of this host")
      ->type_name("NAME|PID|all");
}

CLI::Option* addNamespaceOption(CLI::App& command, CommandOptions& options) {
  const auto whyNotOne = [](const std::string& word) {
    return word == kAllNamespaces ? std::string("takes one network namespace, and not all") : std::string();
  };
  return command.add_option("--netns", options.networkNamespace, "Use this network namespace: a name or a PID")
      ->check(whyNotOne)
      ->type_name("NAME|PID");
}

void addResolveOption(CLI::App& command, CommandOptions& options) {
  command.add_flag("--no-resolve", options.noResolve, "Do not look up the processes that own the sockets");
}

void addOutputOptions(CLI::App& command, CommandOptions& options, const std::string& what) {
  command.add_option("-o,--output", options.output, what)->required()->type_name("FILE");
  command.add_option("--for", options.recordSeconds, "Stop after this many seconds; by default at Ctrl+C")
      ->check(secondsWithin(0.5, 864'000.0))
      ->type_name("S");
}

void addFilterHelp(CLI::App& command) {
  command.footer(
      fmt::format("{} has the grammar of ss, plus tcpscope's own fields:\n"
                  "  -- dport = :443 and dst 10/8        -- 'rtt > 50ms' and process ~ postgres",
                  kFilterFollows));
}

/// In the metric's base unit, in the words that filters take.
double valueOf(Metric metric, std::string_view word, const std::string& option) {
  if (const auto value = wantedValue(metric, word)) return *value;
  throw CLI::ValidationError(option, "takes " + std::string(valueExample(metricRow(metric).unit)));
}

void addRingOptions(CLI::App& command, CommandOptions& options) {
  // A piece of the ring still holds more than what it begins with.
  constexpr double kSmallestRing = 1U << 20U;
  command
      .add_option_function<std::string>(
          "--max-size",
          [&options](const std::string& word) {
            const double bytes = valueOf(Metric::bytesAcked, word, "--max-size");
            if (bytes < kSmallestRing) throw CLI::ValidationError("--max-size", "takes 1MiB or more");
            options.maxBytes = static_cast<std::uint64_t>(bytes);
          },
          "Keep at most this size, such as 100MiB; the oldest data is deleted")
      ->type_name("SIZE");
  command.add_option("--max-age", options.maxAgeSeconds, "Keep at most the last S seconds; the oldest data is deleted")
      ->check(secondsWithin(10.0, 31'536'000.0))
      ->type_name("S");
}

void addColorOption(CLI::App& command, CommandOptions& options) {
  addChoice<ColorChoice>(
      command, "--color", options.color,
      {{"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}},
      "Use colour: auto (only on a terminal), always, never");
}

}  // namespace

bool CommandOptions::useColor() const {
  if (color == ColorChoice::automatic) return isatty(STDOUT_FILENO) == 1;
  return color == ColorChoice::always;
}

CLI::Validator secondsWithin(double least, double most) {
  const std::string bounds = fmt::format("{} to {}", least, most);
  return {[least, most, bounds](const std::string& word) {
            double seconds = 0.0;
            const bool isNumber = CLI::detail::lexical_cast(word, seconds);
            return isNumber && seconds >= least && seconds <= most
                       ? std::string()
                       : fmt::format("takes seconds, a number without unit, {}", bounds);
          },
          "FLOAT in [" + bounds + "]"};
}

void addCommonOptions(CLI::App& command, CommandOptions& options) {
  CLI::Option* json = command.add_flag("--json", options.json, "Print one JSON document");
  command.add_flag("--json-stream", options.jsonStream, "Print one JSON object per line")->excludes(json);
  command.add_option("--interval", options.intervalSeconds, "Sampling interval in seconds")
      ->check(secondsWithin(0.1, 3600.0))
      ->type_name("S");
  command.add_option("--count", options.count, "Stop after this many samples")->check(whyNoCount)->type_name("N");
  addNamespacesOption(command, options);
  addResolveOption(command, options);
  addColorOption(command, options);
  addFilterHelp(command);
}

void addChangeOptions(CLI::App& command, CommandOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON document");
  addNamespaceOption(command, options);
}

void addGoalOptions(CLI::App& command, CommandOptions& options) {
  command
      .add_option_function<std::string>(
          "--target-rate",
          [&options](const std::string& word) {
            options.goal.targetRate = BitsPerSecond(valueOf(Metric::pacingRate, word, "--target-rate"));
          },
          "Target rate, such as 100Mbit")
      ->type_name("RATE");
  command
      .add_option_function<std::string>(
          "--target-rtt",
          [&options](const std::string& word) {
            const double microseconds = valueOf(Metric::rtt, word, "--target-rtt");
            options.goal.targetRtt = Microseconds(static_cast<std::int64_t>(microseconds));
          },
          "Target RTT, such as 20ms; by default the measured one")
      ->type_name("TIME");
  addChoice<AdviceAim>(command, "--goal", options.goal.aim,
                       {{"throughput", AdviceAim::throughput}, {"latency", AdviceAim::latency}},
                       "Optimize for throughput (default) or latency");
}

void addAnalyzeOptions(CLI::App& command, CommandOptions& options) {
  command
      .add_option(
          "FILE", options.analysis.captures,
          "Captures in pcap or pcapng, compressed or not, recordings, and a path's drops as CSV; - is a capture on "
          "standard input")
      ->required()
      ->type_name("");
  CLI::Option* json = command.add_flag("--json", options.json, "Print one JSON document");
  CLI::Option* lines = command
                           .add_flag("--json-lines", options.analysis.jsonLines,
                                     "Print one JSON object per line: the files, each connection")
                           ->excludes(json);
  command.add_flag("--details", options.analysis.details, "Show every connection in detail, however many there are")
      ->excludes(json)
      ->excludes(lines);
  command.add_option("--top", options.analysis.top, "Show the first N connections only, by default the worst")
      ->check(whyNoCount)
      ->type_name("N");
  addChoice<std::optional<ConnectionOrder>>(command, "--by", options.analysis.order,
                                            {{"worst", ConnectionOrder::worst},
                                             {"data", ConnectionOrder::data},
                                             {"goodput", ConnectionOrder::goodput},
                                             {"retransmissions", ConnectionOrder::retransmissions},
                                             {"rtt", ConnectionOrder::rtt},
                                             {"duration", ConnectionOrder::duration},
                                             {"start", ConnectionOrder::start}},
                                            "Order of the connections: highest first, start: earliest first");
  command
      .add_option(
          "--save-packets", options.analysis.savePackets,
          "Write the packets of the one connection that the filter leaves to this pcapng file, with comments on "
          "them")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--rtt",
          [&options](const std::string& word) {
            const double microseconds = valueOf(Metric::rtt, word, "--rtt");
            if (microseconds <= 0.0) throw CLI::ValidationError("--rtt", "takes a time above 0");
            options.analysis.rtt = Nanoseconds(static_cast<std::int64_t>(microseconds * 1e3));
          },
          "RTT of the path whose drops a CSV lists, such as 20ms: the unit of the intervals between them")
      ->type_name("TIME");
  command.add_flag("--inside-tunnels", options.analysis.insideTunnels,
                   "Analyze the connections inside IP in IP, GRE (also in UDP), ERSPAN, VXLAN, Geneve and GTP-U");
  constexpr double kLeastMemory = 1U << 20U;
  command
      .add_option_function<std::string>(
          "--memory",
          [&options](const std::string& word) {
            const double bytes = valueOf(Metric::bytesAcked, word, "--memory");
            if (bytes < kLeastMemory) throw CLI::ValidationError("--memory", "takes 1MiB or more");
            options.analysis.memoryBytes = static_cast<std::uint64_t>(bytes);
          },
          "Memory limit of the analysis, such as 4GiB; by default half of the available memory, at most 2GiB")
      ->type_name("SIZE");
  addColorOption(command, options);
  command.footer(
      fmt::format("{} selects by addresses, ports and limit; the source is the initiator of the connection:\n"
                  "  -- dport = :443 and dst 10/8        -- limit = receiver",
                  kFilterFollows));
}

void addFromOption(CLI::App& command, CommandOptions& options, FromSources sources) {
  const bool takesCaptures = sources == FromSources::recordingsCapturesHosts;
  CLI::Option* const from =
      command
          .add_option("--from", options.from,
                      takesCaptures ? "Use this recording, capture or host instead of this machine"
                                    : "Use this recording or host instead of this machine; captures: see analyze")
          ->type_name("FILE|ssh://HOST")
          ->excludes("--netns");
  if (!takesCaptures) from->each([&options](const std::string&) { options.refusesCaptures = true; });
  CLI::Option* throughSs = command.add_flag_callback(
      "--through-ss", [&options] { options.means = AgentMeans::throughSs; },
      "Poll remote hosts through their ss, where tcpscope-cli is not installed: one sample per second, fewer figures");
  command
      .add_flag_callback(
          "--copy-agent", [&options] { options.means = AgentMeans::copied; },
          "Install a temporary agent on remote hosts while this command runs")
      ->excludes(throughSs);
}

void addCaptureOptions(CLI::App& command, CommandOptions& options) {
  addOutputOptions(command, options, "Output file; - is standard output");
  command.add_option("-i,--interface", options.interface, "Interface to capture on; any means all")
      ->capture_default_str()
      ->type_name("NAME");
  CLI::Option* where = addNamespaceOption(command, options);
  // Of the window, which has it open: the name may be another's by now.
  command.add_option("--netns-descriptor", options.namespaceDescriptor)
      ->check(CLI::Range(3, 1023))
      ->group("")
      ->excludes(where);
  command.footer("The filter after -- is a pcap-filter(7) expression: -- tcp port 443");
}

void addExportOptions(CLI::App& command, CommandOptions& options) {
  addOutputOptions(command, options, "Output file; - is standard output");
  command.add_option("--series", options.series, "Metric keys, such as rtt_us,snd_cwnd_segments")
      ->required()
      ->delimiter(',')
      ->type_name("KEY[,KEY…]");
  command.add_option("--interval", options.intervalSeconds, "Sampling interval in seconds")
      ->check(secondsWithin(0.1, 3600.0))
      ->capture_default_str()
      ->type_name("S");
  addNamespaceOption(command, options);
  addFromOption(command, options, FromSources::recordingsCapturesHosts);
  addAnonymizeOption(command, options);
  addResolveOption(command, options);
  addFilterHelp(command);
}

void addAnonymizeOption(CLI::App& command, CommandOptions& options) {
  command.add_flag("--anonymize", options.anonymize, "Replace addresses and names by placeholders");
}

void addRecordOptions(CLI::App& command, CommandOptions& options) {
  addOutputOptions(command, options, "Output file");
  command.add_option("--interval", options.recordIntervalSeconds, "Sampling interval in seconds")
      ->check(secondsWithin(0.02, 3600.0))
      ->capture_default_str()
      ->type_name("S");
  addRingOptions(command, options);
  addAnonymizeOption(command, options);
  command.add_option("--note", options.note, "Recording comment, shown in reports")->type_name("TEXT");
  CLI::Option* where = addNamespaceOption(command, options);
  command
      .add_option("--packets", options.packetsFilter,
                  "Record the packet headers, too, that match this pcap-filter(7) expression, up to 64 MiB, beside the "
                  "file")
      ->type_name("PCAP-FILTER")
      ->excludes("--anonymize")
      ->excludes(where);
  addResolveOption(command, options);
  addFilterHelp(command);
}

void addCoverOptions(CLI::App& command, CommandOptions& options) {
  constexpr std::size_t kMostBytes = 200;
  const CLI::Validator isShort(
      [](const std::string& text) {
        return text.size() > kMostBytes ? std::string("more than 200 bytes") : std::string();
      },
      "");
  command.add_option("--customer", options.customer, "For whom the report is, shown below its title")
      ->check(isShort)
      ->type_name("TEXT");
  command.add_option("--author", options.author, "Who made the report")->check(isShort)->type_name("TEXT");
  command.add_option("--ticket", options.ticket, "Number or address of a ticket")->check(isShort)->type_name("TEXT");
  command.add_option("--logo", options.logo, "PNG image for the first page, at most 1 MiB")->type_name("FILE");
}

void addReportOptions(CLI::App& command, CommandOptions& options) {
  command
      .add_option("-o,--output", options.output,
                  "Output file; its extension selects the format: .html, .pdf, .md or .json")
      ->required()
      ->type_name("FILE");
  addAnonymizeOption(command, options);
  command.add_flag("--brief", options.isBrief, "Two pages for each connection, without the appendix");
  addCoverOptions(command, options);
  command.add_option("--path", options.path, "Probe the path from here to this host: its hops and its path MTU")
      ->type_name("HOST");
  command.add_option("--compare", options.compared, "Compare with this recording, capture or host")
      ->type_name("FILE|ssh://HOST");
  addNamespaceOption(command, options);
  addResolveOption(command, options);
  addFilterHelp(command);
}

void addTuneOptions(CLI::App& command, CommandOptions& options) {
  command
      .add_option("CONNECTION", options.tune.words,
                  "The connection: its id in 'list --json', LOCAL-REMOTE, or a filter after --; then OPTION=VALUE…")
      ->type_name("");
  CLI::Option* show = command.add_flag("--show", options.tune.show, "Show its socket options and change nothing");
  CLI::Option* undo =
      command.add_flag("--undo", options.tune.undo, "Restore the values from before tcpscope's change")->excludes(show);
  CLI::Option* confirm = command.add_flag("--confirm", options.tune.confirm, "Keep the change that is on trial")
                             ->excludes(show)
                             ->excludes(undo);
  command
      .add_option("--revert-after", options.tune.revertAfterSeconds,
                  "Revert the change after S seconds unless --confirm comes first; by default it stays until --undo")
      ->type_name("S")
      ->check(secondsWithin(1.0, 86'400.0))
      ->excludes(show)
      ->excludes(undo)
      ->excludes(confirm);
  command
      .add_flag("--replace-trial", options.tune.replaceTrial,
                "End a change that is on trial first, and restore what it changed")
      ->excludes(show)
      ->excludes(undo)
      ->excludes(confirm);
  command
      .add_option("--measure", options.tune.measureSeconds,
                  "Measure its goodput for S seconds before and after the change, and compare")
      ->type_name("S")
      ->check(secondsWithin(5.0, 600.0))
      ->excludes(show)
      ->excludes(undo)
      ->excludes(confirm);
  command.add_flag("--json", options.json, "Print one JSON document");
  addNamespaceOption(command, options);
  addColorOption(command, options);
  command.footer(
      "Options and their values:\n"
      "  tune 0:1a2b SO_SNDBUF=4MiB TCP_CONGESTION=bbr\n"
      "  tune SO_BUF_LOCK=none -- dport = :443");
}

void addPathHistoryOption(CLI::App& command, CommandOptions& options) {
  command.add_flag("--no-path-book", options.noPathHistory, "Do not write the path history");
}

void addPathsOptions(CLI::App& command, CommandOptions& options) {
  constexpr std::uint32_t kMostDays = 36'500;
  CLI::Option* host = command
                          .add_option("HOST", options.paths.host,
                                      "Show the path to this name, address or network, with recommended buffers")
                          ->type_name("");
  CLI::Option* forget =
      command.add_option("--forget", options.paths.forget, "Delete the path of this network or address")
          ->type_name("PREFIX")
          ->excludes(host);
  command.add_option("--prune", options.paths.pruneDays, "Delete paths not seen for this many days")
      ->type_name("DAYS")
      ->check(CLI::Range(1U, kMostDays))
      ->excludes(host)
      ->excludes(forget);
  command.add_flag("--json", options.json, "Print one JSON document");
}

bool asksForProcess(const ConnectionFilter& filter) {
  return filter.root() && mentionsOwner(*filter.root());
}

Expected<ConnectionFilter, ExitCode> parseFilter(const CommandOptions& options) {
  auto filter = ConnectionFilter::parse(options.filterText);
  if (!filter) {
    return Unexpected<ExitCode>(fail(ExitCode::wrongUsage, sentence(filter.error(), options.filterText)));
  }
  if (options.noResolve && asksForProcess(*filter)) {
    return Unexpected<ExitCode>(
        fail(ExitCode::wrongUsage, "the filter needs processes, which --no-resolve disables; omit one of the two"));
  }
  return *filter;
}

}  // namespace tcpscope
