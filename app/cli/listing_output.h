// How `list` prints: a table for people, a document or lines for programs.
#pragma once

#include "app/cli/command_options.h"
#include "app/cli/listing.h"

namespace tcpscope {

/// In the form that the options ask for, to standard output. Sorts what people read.
ExitCode writeListing(const CommandOptions& options, const ConnectionFilter& filter, Listing& listing);

}  // namespace tcpscope
