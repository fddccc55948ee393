// The JSON document `tcpscope.problems`: what needs attention, worst first.
#pragma once

#include <string>
#include <vector>

#include "core/session/problems.h"

namespace tcpscope {

/// One document with a final newline.
std::string toJson(const std::vector<Problem>& problems, const SessionSnapshot& snapshot, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view problemsSchema();

}  // namespace tcpscope
