// tcpscope-cli: reads the command line and hands over to one command.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "app/cli/capture_refusal.h"
#include "app/cli/commands.h"
#include "app/cli/help_formatter.h"
#include "app/lab/engine/lab_engine.h"
#include "core/base/escape.h"

namespace tcpscope {

namespace {

struct CommandRow {
  const char* name;
  const char* what;
  ExitCode (*run)(const CommandOptions&);
  void (*addOptions)(CLI::App&, CommandOptions&);
};

void addSourceOptions(CLI::App& command, CommandOptions& options, FromSources sources) {
  addCommonOptions(command, options);
  addFromOption(command, options, sources);
}

void addListOptions(CLI::App& command, CommandOptions& options) {
  addSourceOptions(command, options, FromSources::recordingsCapturesHosts);
  addAnonymizeOption(command, options);
  addKillOptions(command, options);
}

void addWatchDuration(CLI::App& command, CommandOptions& options) {
  command.add_option("--for", options.forSeconds, "Observe for this many seconds")
      ->check(secondsWithin(0.5, 3600.0))
      ->type_name("S")
      ->capture_default_str();
}

void addWatchOptions(CLI::App& command, CommandOptions& options,
                     FromSources sources = FromSources::recordingsCapturesHosts) {
  addSourceOptions(command, options, sources);
  addPathHistoryOption(command, options);
}

void addLiveTableOptions(CLI::App& command, CommandOptions& options) {
  addWatchOptions(command, options);
  command.add_flag("--ended", options.ended, "Print a line for each connection that ends, short ones included")
      ->excludes("--json");
  command
      .add_flag("--events", options.events,
                "Print a line for each connection that is opened, accepted, closed or fails to open, for each "
                "retransmission, and for each packet that this host drops")
      ->excludes("--json")
      ->excludes("--ended")
      // The kernel of this machine reports them, of all its network namespaces.
      ->excludes("--from")
      ->excludes("--netns");
  CLI::Option* trigger =
      command
          .add_option("--trigger", options.trigger,
                      "Print a line for each connection that begins to satisfy this condition, such as 'rtt > 200ms'")
          ->type_name("CONDITION")
          ->excludes("--json")
          ->excludes("--ended")
          ->excludes("--events");
  command
      .add_option("--hold-off", options.holdOffSeconds,
                  "With --trigger: seconds until the same connection is printed again")
      ->type_name("S")
      ->check(secondsWithin(0.0, 86'400.0))
      ->needs(trigger);
  CLI::Option* record = command
                            .add_option("--record", options.triggeredRecording,
                                        "With --trigger: record around each event into this file, those of later "
                                        "events into files with a number behind its name")
                            ->type_name("FILE")
                            ->needs(trigger)
                            ->excludes("--from");
  command.add_option("--before", options.recordBeforeSeconds, "With --record: seconds before the event")
      ->type_name("S")
      ->check(secondsWithin(5.0, 3600.0))
      ->capture_default_str()
      ->needs(record);
  command.add_option("--after", options.recordAfterSeconds, "With --record: seconds after the event began")
      ->type_name("S")
      ->check(secondsWithin(1.0, 3600.0))
      ->capture_default_str()
      ->needs(record);
}

void addDiagnoseOptions(CLI::App& command, CommandOptions& options) {
  addWatchOptions(command, options);
  addWatchDuration(command, options);
}

/// Of a capture findings are what `analyze` and `diagnose` print.
void addProblemsOptions(CLI::App& command, CommandOptions& options) {
  addWatchOptions(command, options, FromSources::recordingsHosts);
  addWatchDuration(command, options);
}

void addAdviceOptions(CLI::App& command, CommandOptions& options) {
  addDiagnoseOptions(command, options);
  addGoalOptions(command, options);
}

void addReportingOptions(CLI::App& command, CommandOptions& options) {
  addReportOptions(command, options);
  addFromOption(command, options, FromSources::recordingsCapturesHosts);
  addWatchDuration(command, options);
  addGoalOptions(command, options);
}

void addAgentOptions(CLI::App& command, CommandOptions& options) {
  command.add_flag("--no-resolve", options.noResolve, "Do not look up the processes that own the sockets");
  command.add_option("--netns", options.networkNamespace, "Report every network namespace of this host")
      ->check(CLI::IsMember({std::string(kAllNamespaces)}))
      ->type_name("all");
}

void addDoctorOptions(CLI::App& command, CommandOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON document");
}

void addCheckupOptions(CLI::App& command, CommandOptions& options) {
  // What PID_MAX_LIMIT is on 64 bits (include/linux/threads.h).
  constexpr std::uint32_t kLargestPid = 4'194'304;
  command.add_option("--pid", options.pid, "Check the process with this PID as well")
      ->check(CLI::Range(1U, kLargestPid))
      ->type_name("PID");
  command.add_option("--path", options.path, "Probe the path to this host: its hops and its path MTU")
      ->type_name("HOST");
  command.add_option("--from", options.from, "Check this host, with the tcpscope-cli that is installed there")
      ->type_name("ssh://HOST");
  command.add_flag("--json", options.json, "Print one JSON document");
  addWatchDuration(command, options);
}

void addApplyingOptions(CLI::App& command, CommandOptions& options) {
  addChangeOptions(command, options);
  addApplyOptions(command, options.change);
}

void addChosenChange(CLI::App& command, CommandOptions& options) {
  addChangeOptions(command, options);
  addChangeNumber(command, options.change);
}

void addProofOptions(CLI::App& command, CommandOptions& options) {
  addChangeOptions(command, options);
  addVerifyOptions(command, options.change);
  addWatchDuration(command, options);
}

constexpr std::array<CommandRow, 23> kCommands = {{
    {"list", "List connections and listeners", listCommand, addListOptions},
    {"watch", "Show a live table in the terminal", watchCommand, addLiveTableOptions},
    {"diagnose", "Observe for some seconds, then print what limits each connection", diagnoseCommand,
     addDiagnoseOptions},
    {"problems", "Observe for some seconds, then list what needs attention; exit 1 when there is any", problemsCommand,
     addProblemsOptions},
    {"advise", "Observe for some seconds, then print what to change and the expected gain", adviseCommand,
     addAdviceOptions},
    {"report", "Observe for some seconds, then write a report with plots: HTML, PDF, Markdown or JSON", reportCommand,
     addReportingOptions},
    {"apply", "Change settings of this host, revertibly", applyCommand, addApplyingOptions},
    {"confirm", "Keep a change that is on trial", confirmCommand, addChosenChange},
    {"revert", "Revert a change", revertCommand, addChosenChange},
    {"verify", "Time a command with a change and without it", verifyCommand, addProofOptions},
    {"changes", "List the changes and their states", changesCommand, addChangeOptions},
    {"tune", "Show, change or restore the socket options of one live connection", tuneCommand, addTuneOptions},
    {"paths", "Show the path history, and recommended buffers", pathsCommand, addPathsOptions},
    {"analyze", "Analyze the connections of captures and recordings", analyzeCommand, addAnalyzeOptions},
    {"capture", "Capture packet headers to a file for analyze", captureCommand, addCaptureOptions},
    {"record", "Record connections to a file", recordCommand, addRecordOptions},
    {"export", "Export metrics over time to a CSV file", exportCommand, addExportOptions},
    {"agent", "Serve a remote tcpscope: frames on standard output, requests on standard input", agentCommand,
     addAgentOptions},
    {"lab", "Run scenarios with a known limit over an emulated path", labCommand,
     [](CLI::App& command, CommandOptions& options) { addLabOptions(command, options.lab, options.json); }},
    {"calc", "Calculate what rate, window, MTU or loss a path allows, without a connection", calcCommand,
     [](CLI::App& command, CommandOptions& options) { addCalcOptions(command, options.calc, options.json); }},
    {"probe", "Measure the losses of a path with packets of a constant rate", probeCommand, addProbeOptions},
    {"checkup", "Check this host for problems, layer by layer", checkupCommand, addCheckupOptions},
    {"doctor", "Show what works on this machine, what is missing, and how to enable it", doctorCommand,
     addDoctorOptions},
}};

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The words behind the first `--`, joined; they leave `words`.
std::string takeFilter(std::vector<std::string>& words) {
  const auto mark = std::find(words.begin(), words.end(), "--");
  std::string filter;
  if (mark == words.end()) return filter;
  for (auto word = std::next(mark); word != words.end(); ++word) {
    if (!filter.empty()) filter += ' ';
    filter += *word;
  }
  words.erase(mark, words.end());
  return filter;
}

/// Nothing where the first word is a command or an option.
std::optional<ExitCode> refuseUnknownCommand(const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return std::nullopt;
  const bool isKnown =
      std::any_of(kCommands.begin(), kCommands.end(), [&](const CommandRow& row) { return words.front() == row.name; });
  if (isKnown) return std::nullopt;
  return fail(ExitCode::wrongUsage,
              fmt::format("unknown command '{}'; 'tcpscope-cli --help' lists all", forTerminal(words.front())));
}

/// `lab` and `calc` have commands of their own: nothing where the second word is one of them, or an option.
std::optional<ExitCode> refuseUnknownPart(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string word = words.empty() ? std::string() : words.front();
  const std::string part = words.size() > 1 ? words[1] : std::string();
  const auto commands = app.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
  if (commands.empty() || part.starts_with('-')) return std::nullopt;
  std::vector<std::string> names;
  for (const CLI::App* const one : commands.front()->get_subcommands(nullptr)) {
    if (one->get_name() == part) return std::nullopt;
    names.push_back(one->get_name());
  }
  if (names.empty()) return std::nullopt;
  const std::string why = part.empty() ? "needs a command" : fmt::format("has no command '{}'", forTerminal(part));
  return fail(ExitCode::wrongUsage, fmt::format("'{}' {}; use one of {}", word, why, fmt::join(names, ", ")));
}

/// Where words that no command takes may be meant for a filter.
std::string hintAtFilter(const CLI::App& app) {
  const std::vector<std::string> extra = app.remaining(true);
  const auto commands = app.get_subcommands();
  const bool areWords =
      std::none_of(extra.begin(), extra.end(), [](const std::string& word) { return word.starts_with('-'); });
  if (commands.empty() || !areWords || !commands.front()->get_footer().starts_with(kFilterFollows)) return {};
  return fmt::format("; a filter follows '--', as in 'tcpscope-cli {} -- dport = :443'", commands.front()->get_name());
}

/// Of the command that was given.
std::string hintAtHelp(const CLI::App& app) {
  std::string command = app.get_name();
  for (const CLI::App* one = &app; !one->get_subcommands().empty();) {
    one = one->get_subcommands().front();
    command += " " + one->get_name();
  }
  return fmt::format("; see '{} --help'", command);
}

ExitCode run(int argumentCount, char** arguments) {
  CLI::App app("tcpscope-cli: show TCP connections and what limits them", "tcpscope-cli");
  app.set_version_flag("--version", "tcpscope " TCPSCOPE_VERSION);
  app.require_subcommand(1);
  // Commands inherit it.
  app.formatter(std::make_shared<HelpFormatter>());
  CommandOptions options;
  for (const CommandRow& row : kCommands) {
    row.addOptions(*app.add_subcommand(row.name, row.what), options);
  }

  std::vector<std::string> words(arguments + 1, arguments + argumentCount);
  options.filterText = takeFilter(words);
  if (const auto refused = refuseUnknownCommand(words)) return *refused;
  if (const auto refused = refuseUnknownPart(app, words)) return *refused;
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ExtrasError& error) {
    return fail(ExitCode::wrongUsage, firstLine(error.what()) + hintAtFilter(app) + hintAtHelp(app));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return ExitCode::done;
    }
    return fail(ExitCode::wrongUsage, firstLine(error.what()) + hintAtHelp(app));
  }
  const std::string name = app.get_subcommands().front()->get_name();
  const auto row =
      std::find_if(kCommands.begin(), kCommands.end(), [&](const CommandRow& one) { return name == one.name; });
  if (options.refusesCaptures) {
    if (const auto refused = refuseCapture(options)) return *refused;
  }
  return row->run(options);
}

}  // namespace

}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return static_cast<int>(tcpscope::run(argumentCount, arguments));
}
