// tcpscope-cli: reads the command line and hands over to one command.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "app/cli/capture_hint.h"
#include "app/cli/commands.h"
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

void addLookOptions(CLI::App& command, CommandOptions& options) {
  addCommonOptions(command, options);
  addFromOption(command, options);
}

void addLookDuration(CLI::App& command, CommandOptions& options) {
  command.add_option("--for", options.forSeconds, "Watch for this many seconds")
      ->check(CLI::Range(0.5, 3600.0))
      ->type_name("S")
      ->capture_default_str();
}

void addWatchOptions(CLI::App& command, CommandOptions& options) {
  addLookOptions(command, options);
  addPathBookOption(command, options);
}

void addDiagnoseOptions(CLI::App& command, CommandOptions& options) {
  addWatchOptions(command, options);
  addLookDuration(command, options);
}

void addAdviceOptions(CLI::App& command, CommandOptions& options) {
  addDiagnoseOptions(command, options);
  addGoalOptions(command, options);
}

void addReportingOptions(CLI::App& command, CommandOptions& options) {
  addReportOptions(command, options);
  addFromOption(command, options);
  addLookDuration(command, options);
  addGoalOptions(command, options);
}

void addAgentOptions(CLI::App& command, CommandOptions& options) {
  command.add_flag("--no-resolve", options.noResolve, "Do not look for the processes behind sockets");
}

void addDoctorOptions(CLI::App& command, CommandOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON document");
}

void addCheckupOptions(CLI::App& command, CommandOptions& options) {
  // What PID_MAX_LIMIT is on 64 bits (include/linux/threads.h).
  constexpr std::uint32_t kLargestPid = 4'194'304;
  command.add_option("--pid", options.pid, "Look at the program with this process number, too")
      ->check(CLI::Range(1U, kLargestPid))
      ->type_name("PID");
  command.add_option("--path", options.path, "Send probes to this host: its hops, and the largest packet that passes")
      ->type_name("HOST");
  command.add_flag("--json", options.json, "Print one JSON document");
  addLookDuration(command, options);
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
  addLookDuration(command, options);
}

constexpr std::array<CommandRow, 20> kCommands = {{
    {"list", "Connections and listeners now", listCommand, addLookOptions},
    {"watch", "Live table in the terminal", watchCommand, addWatchOptions},
    {"diagnose", "Watch for some seconds, then say what limits each connection", diagnoseCommand, addDiagnoseOptions},
    {"advise", "Watch likewise, then say what to change, and what that should bring", adviseCommand, addAdviceOptions},
    {"report", "Watch likewise, and write a report with plots for others: HTML, PDF or JSON", reportCommand,
     addReportingOptions},
    {"apply", "Change settings of this host, so that it can be undone", applyCommand, addApplyingOptions},
    {"confirm", "Keep a change that would be undone", confirmCommand, addChosenChange},
    {"revert", "Undo a change", revertCommand, addChosenChange},
    {"verify", "Time a command with a change and without it", verifyCommand, addProofOptions},
    {"changes", "The changes that were made, and what became of them", changesCommand, addChangeOptions},
    {"tune", "Show the socket options of one live connection, change them, undo it", tuneCommand, addTuneOptions},
    {"paths", "What the paths to other networks have shown, and the buffers for the next connection", pathsCommand,
     addPathsOptions},
    {"analyze", "Say what captures and recordings show of their connections", analyzeCommand, addAnalyzeOptions},
    {"capture", "Write the headers of packets to a file that analyze reads", captureCommand, addCaptureOptions},
    {"record", "Write what happens to a file that can be looked at later", recordCommand, addRecordOptions},
    {"export", "Write metrics over time to a CSV file", exportCommand, addExportOptions},
    {"agent", "Speak with a tcpscope elsewhere: frames on standard output, requests on standard input", agentCommand,
     addAgentOptions},
    {"lab", "Run scenarios with a known fault over an emulated path", labCommand,
     [](CLI::App& command, CommandOptions& options) { addLabOptions(command, options.lab, options.json); }},
    {"checkup", "What of this host stands in TCP's way, layer by layer", checkupCommand, addCheckupOptions},
    {"doctor", "What works on this machine, what is missing, and the command that mends it", doctorCommand,
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
              fmt::format("there is no command '{}'; 'tcpscope-cli --help' names all", forTerminal(words.front())));
}

ExitCode run(int argumentCount, char** arguments) {
  CLI::App app("tcpscope-cli: shows the TCP connections of this machine and says what limits them", "tcpscope-cli");
  app.set_version_flag("--version", "tcpscope " TCPSCOPE_VERSION);
  app.require_subcommand(1);
  CommandOptions options;
  for (const CommandRow& row : kCommands) {
    row.addOptions(*app.add_subcommand(row.name, row.what), options);
  }

  std::vector<std::string> words(arguments + 1, arguments + argumentCount);
  options.filterText = takeFilter(words);
  if (const auto refused = refuseUnknownCommand(words)) return *refused;
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);
      return ExitCode::done;
    }
    return fail(ExitCode::wrongUsage, firstLine(error.what()) + "; see 'tcpscope-cli --help'");
  }
  const std::string name = app.get_subcommands().front()->get_name();
  const auto row =
      std::find_if(kCommands.begin(), kCommands.end(), [&](const CommandRow& one) { return name == one.name; });
  if (row->run != reportCommand) {
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
