// The lines of `tcpscope.event`: what happened to connections, one by one (`watch --events --json-stream`).
#pragma once

#include <string>

#include "core/model/kernel_event.h"

namespace tcpscope {

/// With its newline.
std::string toJsonLine(const KernelEvent& event, WallTime time);
/// That so many events were lost since the line before that says so.
std::string lostEventsJsonLine(std::uint64_t count, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view eventSchema();

}  // namespace tcpscope
