// `watch --json` and `--json-stream`: polls this machine, another host or a recording once per interval, as a
// document of the last one or as a line for each connection of each.
#pragma once

#include "app/cli/command_options.h"
#include "app/session/local_place.h"

namespace tcpscope {

/// Without a count, the document is of the poll after one interval, so that rates are known, and of a
/// recording's end; the stream goes on until an interruption or the recording's end. A recording is read as fast as it
/// goes, and its times are those at which it was made.
ExitCode watchAsJson(const CommandOptions& options, const LocalSessionSettings& settings);

}  // namespace tcpscope
