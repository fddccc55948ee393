#include "app/cli/command_options.h"

#include <unistd.h>

#include "app/cli/option_words.h"
#include "core/model/metric_words.h"

namespace tcpscope {

namespace {

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

void addNamespaceOption(CLI::App& command, CommandOptions& options) {
  command.add_option("--netns", options.networkNamespace, "In this network namespace: a name or a process")
      ->type_name("NAME|PID");
}

void addResolveOption(CLI::App& command, CommandOptions& options) {
  command.add_flag("--no-resolve", options.noResolve, "Do not look for the processes behind sockets");
}

void addOutputOptions(CLI::App& command, CommandOptions& options, const std::string& what) {
  command.add_option("-o,--output", options.output, what)->required()->type_name("FILE");
  command.add_option("--for", options.recordSeconds, "End after this many seconds; without it, at Ctrl+C")
      ->check(CLI::Range(0.5, 864'000.0))
      ->type_name("S");
}

void addFilterHelp(CLI::App& command) {
  command.footer(
      "Words behind '--' are a filter in the grammar of ss, with fields of tcpscope's own:\n"
      "  -- dport = :443 and dst 10/8        -- 'rtt > 50ms' and process ~ postgres");
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
          "Keep no more than this, such as 100MiB: the oldest goes")
      ->type_name("SIZE");
  command.add_option("--max-age", options.maxAgeSeconds, "Keep no more than the last S seconds: the oldest goes")
      ->check(CLI::Range(10.0, 31'536'000.0))
      ->type_name("S");
}

void addColorOption(CLI::App& command, CommandOptions& options) {
  addChoice<ColorChoice>(
      command, "--color", options.color,
      {{"auto", ColorChoice::automatic}, {"always", ColorChoice::always}, {"never", ColorChoice::never}},
      "Colour: auto (on a terminal only), always, never");
}

}  // namespace

bool CommandOptions::useColor() const {
  if (color == ColorChoice::automatic) return isatty(STDOUT_FILENO) == 1;
  return color == ColorChoice::always;
}

void addCommonOptions(CLI::App& command, CommandOptions& options) {
  CLI::Option* json = command.add_flag("--json", options.json, "Print one JSON document");
  command.add_flag("--json-stream", options.jsonStream, "Print one JSON object a line")->excludes(json);
  command.add_option("--interval", options.intervalSeconds, "Seconds between two looks")
      ->check(CLI::Range(0.1, 3600.0))
      ->type_name("S");
  command.add_option("--count", options.count, "End after this many")->check(whyNoCount)->type_name("N");
  addNamespaceOption(command, options);
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
          "Rate to be reached, such as 100Mbit")
      ->type_name("RATE");
  command
      .add_option_function<std::string>(
          "--target-rtt",
          [&options](const std::string& word) {
            const double microseconds = valueOf(Metric::rtt, word, "--target-rtt");
            options.goal.targetRoundTrip = Microseconds(static_cast<std::int64_t>(microseconds));
          },
          "Round-trip time to reach it over, such as 20ms; without it the measured one")
      ->type_name("TIME");
  addChoice<AdviceAim>(command, "--goal", options.goal.aim,
                       {{"throughput", AdviceAim::throughput}, {"latency", AdviceAim::latency}},
                       "Advise for throughput (default) or for latency");
}

void addAnalyzeOptions(CLI::App& command, CommandOptions& options) {
  command
      .add_option("FILE", options.captures,
                  "Captures in pcap or pcapng, packed or not, and recordings; - is a capture on standard input")
      ->required()
      ->type_name("");
  command.add_flag("--json", options.json, "Print one JSON document");
  command.add_flag("--inside-tunnels", options.insideTunnels,
                   "Look at the connections inside IP in IP, GRE, VXLAN and Geneve");
  addColorOption(command, options);
  command.footer(
      "Words behind '--' are a filter by addresses, ports and the limit that was found; the source is the end that "
      "opened\nthe connection:\n"
      "  -- dport = :443 and dst 10/8        -- limit = receiver");
}

void addFromOption(CLI::App& command, CommandOptions& options) {
  command.add_option("--from", options.from, "Look at this recording or host instead of this machine")
      ->type_name("FILE|ssh://HOST")
      ->excludes("--netns");
  CLI::Option* throughSs = command.add_flag_callback(
      "--through-ss", [&options] { options.means = AgentMeans::throughSs; },
      "Look at hosts behind ssh through their ss, where tcpscope-cli is not installed: a look a second, less is known");
  command
      .add_flag_callback(
          "--copy-agent", [&options] { options.means = AgentMeans::copied; },
          "Copy tcpscope-cli to hosts behind ssh for as long as this command runs")
      ->excludes(throughSs);
}

void addCaptureOptions(CLI::App& command, CommandOptions& options) {
  addOutputOptions(command, options, "The file to write; - is standard output");
  command.add_option("-i,--interface", options.interface, "Capture here; any is every interface")
      ->capture_default_str()
      ->type_name("NAME");
  command.footer("Behind -- stands a filter of packets in the words of pcap-filter(7): -- tcp port 443");
}

void addExportOptions(CLI::App& command, CommandOptions& options) {
  addOutputOptions(command, options, "The file to write; - is standard output");
  command.add_option("--series", options.series, "Keys of metrics, such as rtt_us,snd_cwnd_segments")
      ->required()
      ->delimiter(',')
      ->type_name("KEY[,KEY…]");
  command.add_option("--interval", options.intervalSeconds, "Seconds between two looks")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str()
      ->type_name("S");
  addNamespaceOption(command, options);
  addFromOption(command, options);
  addResolveOption(command, options);
  addFilterHelp(command);
}

void addRecordOptions(CLI::App& command, CommandOptions& options) {
  addOutputOptions(command, options, "The file to write");
  command.add_option("--interval", options.recordIntervalSeconds, "Seconds between two looks")
      ->check(CLI::Range(0.02, 3600.0))
      ->capture_default_str()
      ->type_name("S");
  addRingOptions(command, options);
  command.add_option("--note", options.note, "Words that the recording keeps, and reports of it show")
      ->type_name("TEXT");
  addNamespaceOption(command, options);
  addResolveOption(command, options);
  addFilterHelp(command);
}

void addReportOptions(CLI::App& command, CommandOptions& options) {
  command.add_option("-o,--output", options.output, "The file to write; its ending says what: .html, .pdf or .json")
      ->required()
      ->type_name("FILE");
  command.add_flag("--anonymise", options.anonymise, "Put placeholders for addresses and names, each time the same");
  command
      .add_option("--compare", options.compared,
                  "Put this recording, capture or host beside the one looked at, and say which is faster")
      ->type_name("FILE|ssh://HOST");
  addNamespaceOption(command, options);
  addResolveOption(command, options);
  addFilterHelp(command);
}

void addTuneOptions(CLI::App& command, CommandOptions& options) {
  command
      .add_option("CONNECTION", options.tune.words,
                  "The connection: its id in 'list --json', LOCAL-REMOTE, or a filter behind --; then OPTION=VALUE…")
      ->type_name("");
  CLI::Option* show = command.add_flag("--show", options.tune.show, "Show its socket options and change nothing");
  CLI::Option* undo =
      command.add_flag("--undo", options.tune.undo, "Restore what was there before tcpscope changed it")
          ->excludes(show);
  command
      .add_option("--measure", options.tune.measureSeconds,
                  "Look at its goodput for S seconds before the change and after it, and say what it brought")
      ->type_name("S")
      ->check(CLI::Range(5.0, 600.0))
      ->excludes(show)
      ->excludes(undo);
  command.add_flag("--json", options.json, "Print one JSON document");
  command.add_option("--netns", options.networkNamespace, "Look into this network namespace: a name or a process")
      ->type_name("NAME|PID");
  addColorOption(command, options);
  command.footer(
      "Options and their values:\n"
      "  tune 0:1a2b SO_SNDBUF=4MiB TCP_CONGESTION=bbr      tune SO_BUF_LOCK=none -- dport = :443");
}

void addPathBookOption(CLI::App& command, CommandOptions& options) {
  command.add_flag("--no-path-book", options.noPathBook, "Do not keep what is seen of paths for the command paths");
}

void addPathsOptions(CLI::App& command, CommandOptions& options) {
  constexpr std::uint32_t kMostDays = 36'500;
  CLI::Option* host =
      command
          .add_option("HOST", options.paths.host, "The path to this name, address or network, with the buffers to use")
          ->type_name("");
  CLI::Option* forget =
      command.add_option("--forget", options.paths.forget, "Forget the path of this network or address")
          ->type_name("PREFIX")
          ->excludes(host);
  command.add_option("--prune", options.paths.pruneDays, "Forget the paths that were not seen for this many days")
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
    return Unexpected<ExitCode>(fail(ExitCode::wrongUsage,
                                     "the filter asks for processes, which --no-resolve leaves out; take one of the "
                                     "two away"));
  }
  return *filter;
}

}  // namespace tcpscope
