// The JSON document `tcpscope.calc`: a calculation without a connection, its result and its equation.
#pragma once

#include <string>
#include <string_view>

#include "core/advice/calculation.h"

namespace tcpscope {

/// One document with a final newline.
std::string toJson(const Calculation& calculation);

/// The JSON Schema, as installed and tested.
std::string_view calcSchema();

}  // namespace tcpscope
