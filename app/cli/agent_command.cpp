// `agent`: the far end of a connection to another tcpscope, behind ssh or a pipe.
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/remote/run_agent.h"

namespace tcpscope {

ExitCode agentCommand(const CommandOptions& options) {
  if (isatty(STDOUT_FILENO) == 1) {
    return fail(ExitCode::wrongUsage,
                "an agent serves another tcpscope, not a terminal; use 'tcpscope-cli watch' to see the connections of "
                "this host");
  }
  AgentSettings settings;
  settings.resolveOwners = !options.noResolve;
  const int failure = runAgent(STDIN_FILENO, STDOUT_FILENO, settings);
  return failure == 0 ? ExitCode::done : fail(SystemError{SystemAttempt::openSocketDiagnosis, failure, {}});
}

}  // namespace tcpscope
