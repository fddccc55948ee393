// What a person reads of a live capture: how it stands, or what happened, why, and what to do next; one line.
#pragma once

#include <string>

#include "core/model/live_capture_state.h"

namespace tcpscope {

std::string sentence(const LiveCaptureError& error);

/// "1200 packets captured, none dropped. …": what a reader of the packets has to know of the capture; empty before its
/// first.
std::string sentence(const LiveCaptureState& state);
/// The result of writing the packets to a file.
std::string sentence(const SavedCapture& saved);

}  // namespace tcpscope
