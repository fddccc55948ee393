// How long connections took to open, a line for each destination.
#pragma once

#include "app/cli/exit_code.h"
#include "app/cli/text_output.h"
#include "core/session/capture/destination_openings.h"

namespace tcpscope {

/// Packets show why an attempt failed and when the first byte came, events of the kernel neither.
enum class OpeningsFrom : std::uint8_t { packets, events };

/// Nothing where there was none.
ExitCode writeOpenings(TextBuffer& out, const OpeningTally& tally, OpeningsFrom from);

}  // namespace tcpscope
