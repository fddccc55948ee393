// Where `apply` and its fellows change something, and how they say what went wrong.
#pragma once

#include "app/cli/command_options.h"
#include "app/changes/execute/sysctl_changer.h"

namespace tcpscope {

/// The changes of the network namespace that the user names, which this process enters; or the exit code after it was
/// told why not.
Expected<SysctlChanger, ExitCode> changesOf(const CommandOptions& options);

/// The sentence of the error, and the exit code that fits it.
ExitCode fail(const ChangeError& error);

}  // namespace tcpscope
