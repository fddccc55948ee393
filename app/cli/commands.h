// The commands: each takes its options and says how it ended.
#pragma once

#include "app/cli/command_options.h"

namespace tcpscope {

ExitCode listCommand(const CommandOptions& options);
ExitCode watchCommand(const CommandOptions& options);
ExitCode diagnoseCommand(const CommandOptions& options);
/// `diagnose` for a recording, read to its end.
ExitCode diagnoseRecording(const CommandOptions& options, const ConnectionFilter& filter, const std::string& file);
/// Writes what diagnose and advise say, with plots, to a file for others.
ExitCode reportCommand(const CommandOptions& options);
ExitCode adviseCommand(const CommandOptions& options);
/// Changes of this host's settings, in app/cli/change_commands.cpp but for verifyCommand.
ExitCode applyCommand(const CommandOptions& options);
ExitCode confirmCommand(const CommandOptions& options);
ExitCode revertCommand(const CommandOptions& options);
ExitCode verifyCommand(const CommandOptions& options);
ExitCode changesCommand(const CommandOptions& options);
ExitCode analyzeCommand(const CommandOptions& options);
ExitCode checkupCommand(const CommandOptions& options);
ExitCode doctorCommand(const CommandOptions& options);
ExitCode labCommand(const CommandOptions& options);
ExitCode agentCommand(const CommandOptions& options);
ExitCode captureCommand(const CommandOptions& options);
ExitCode exportCommand(const CommandOptions& options);
ExitCode recordCommand(const CommandOptions& options);
/// The path history: list it, look up a path, delete entries.
ExitCode pathsCommand(const CommandOptions& options);
ExitCode tuneCommand(const CommandOptions& options);

}  // namespace tcpscope
