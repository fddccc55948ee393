// A child of the engine that does one thing and ends.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/session/lab_error.h"

namespace tcpscope::lab {

/// Runs `work` in a child, which keeps only standard input, output and error and the descriptors of `keeps`, of which
/// negative ones are none. `name` is
/// what process lists show of it: its first 15 bytes. The child's exit code is what `work` gives.
Expected<pid_t, LabError> startChild(const std::string& name, std::vector<int> keeps, const std::function<int()>& work);

/// Puts /dev/null in the place of standard input and output.
void leaveTerminal();

}  // namespace tcpscope::lab
