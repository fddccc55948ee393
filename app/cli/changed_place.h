// The executor for `apply`, `confirm`, `revert`, `changes` and `verify`, and their errors.
#pragma once

#include "app/changes/execute/revert_unit.h"
#include "app/changes/execute/sysctl_changer.h"
#include "app/cli/command_options.h"

namespace tcpscope {

/// The changes of the network namespace that the user names, which this process enters; or the exit code after it was
/// printed the reason.
Expected<SysctlChanger, ExitCode> changesOf(const CommandOptions& options);

/// The unit of systemd that reverts a trial of this length, also of socket options: nothing without a trial, or where
/// the program may not be run as root by the service manager. Before entering a namespace.
std::optional<RevertUnit> revertUnitFor(const CommandOptions& options, const std::optional<double>& trialSeconds);

/// The sentence of the error, and the exit code that fits it.
ExitCode fail(const ChangeError& error);

}  // namespace tcpscope
