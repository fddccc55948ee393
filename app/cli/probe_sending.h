// The sending end of `probe`, for one path and for a mesh: what the options ask for, the runs from this host, and the
// exit code of a failure.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/cli/command_options.h"
#include "app/cli/exit_code.h"
#include "app/probe/probe_target.h"
#include "core/model/endpoint.h"
#include "core/wire/probe/probe_error.h"
#include "core/wire/probe/probe_run.h"

namespace tcpscope {

using ProbePlan = std::array<ProbeRunPlan, 2>;

/// By --rate and --for; nothing after the error was printed.
std::optional<ProbePlan> planOf(const ProbeOptions& options);

/// Both runs, with a line of progress on a terminal. `wakeDescriptor` as ProbeSender's.
Expected<std::array<ProbeRun, 2>, ProbeError> sendProbe(const Endpoint& listener, const ProbePlan& plan,
                                                        int wakeDescriptor);

ExitCode codeOf(const ProbeError& error);

/// `probe --mesh`; probe_mesh_command.cpp.
ExitCode probeMesh(const CommandOptions& options);

}  // namespace tcpscope
