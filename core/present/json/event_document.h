// The lines of `tcpscope.event`: what happened to connections, one by one (`watch --events --json-stream`).
#pragma once

#include <string>

#include "core/model/kernel_event.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// With its newline.
std::string toJsonLine(const KernelEvent& event, WallTime time);
/// That a connection began to satisfy the condition of a trigger (`watch --trigger --json-stream`). No owner where it
/// is not known; `recording` is the file that is being recorded around it.
std::string triggeredJsonLine(const ConnectionRow& row, const Owner* owner, std::string_view condition,
                              const std::optional<std::string>& recording, WallTime time);
/// That a connection ended, with its final figures (`watch --ended --json-stream`). No owner and no last sample where
/// they are not known. `existedBefore`: the first sample was not of its beginning.
std::string endedJsonLine(const ConnectionRow& row, const Owner* owner, const SocketObservation* last, WallTime time,
                          bool existedBefore = false);
/// That so many events were lost since the line before that says so; no number where it is not known.
std::string lostEventsJsonLine(std::optional<std::uint64_t> count, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view eventSchema();

}  // namespace tcpscope
