// The commands: each takes its options and says how it ended.
#pragma once

#include "app/cli/command_options.h"

namespace tcpscope {

struct LocalSessionSettings;

ExitCode listCommand(const CommandOptions& options);
ExitCode watchCommand(const CommandOptions& options);
/// `watch --json` and `--json-stream`: polls this machine, another host or a recording once per interval, as a
/// document of the last one or as a line for each connection of each.
///
/// Without a count, the document is of the poll after one interval, so that rates are known, and of a
/// recording's end; the stream goes on until an interruption or the recording's end. A recording is read as fast as it
/// goes, and its times are those at which it was made.
ExitCode watchAsJson(const CommandOptions& options, const LocalSessionSettings& settings);
ExitCode diagnoseCommand(const CommandOptions& options);
/// Exits with notThere where there are any.
ExitCode problemsCommand(const CommandOptions& options);
/// `diagnose` for a recording, read to its end.
ExitCode diagnoseRecording(const CommandOptions& options, const ConnectionFilter& filter, const std::string& file);
/// Writes what diagnose and advise say, with plots, to a file for others.
ExitCode reportCommand(const CommandOptions& options);
ExitCode adviseCommand(const CommandOptions& options);
/// Changes of this host's settings, in change_commands.cpp but for verifyCommand.
ExitCode applyCommand(const CommandOptions& options);
ExitCode confirmCommand(const CommandOptions& options);
ExitCode revertCommand(const CommandOptions& options);
ExitCode verifyCommand(const CommandOptions& options);
ExitCode changesCommand(const CommandOptions& options);
ExitCode analyzeCommand(const CommandOptions& options);
/// The equations of the diagnosis with figures from the command line.
ExitCode calcCommand(const CommandOptions& options);
ExitCode probeCommand(const CommandOptions& options);
ExitCode checkupCommand(const CommandOptions& options);
ExitCode doctorCommand(const CommandOptions& options);
ExitCode labCommand(const CommandOptions& options);
/// `lab compare`: runs the experiments of a paper and judges its statements.
ExitCode comparePaperCommand(const CommandOptions& options);
/// `lab paper`: the same with every paper, as one page.
ExitCode paperCommand(const CommandOptions& options);
/// `lab congestion-controls`.
ExitCode congestionControlsCommand(LabAction action);
/// In record_command.cpp.
ExitCode agentCommand(const CommandOptions& options);
ExitCode captureCommand(const CommandOptions& options);
ExitCode exportCommand(const CommandOptions& options);
ExitCode recordCommand(const CommandOptions& options);
/// The path history: list it, look up a path, delete entries.
ExitCode pathsCommand(const CommandOptions& options);
ExitCode tuneCommand(const CommandOptions& options);

}  // namespace tcpscope
