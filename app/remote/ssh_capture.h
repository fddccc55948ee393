// Packets that pass another host, captured there by its own tcpscope-cli behind the user's ssh.
#pragma once

#include <optional>
#include <string>

#include "app/session/capture_means.h"

namespace tcpscope {

/// `address` is what stands behind "ssh://". Never prompts: a host that takes a password lets nothing be captured.
/// `clock` is its wall clock at a moment of ours, where that is known.
CaptureMeans captureMeansBySsh(std::string address, const std::optional<ClockPair>& clock);

}  // namespace tcpscope
