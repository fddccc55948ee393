// The JSON document `tcpscope.checkup`: whether a host is fit for fast TCP, layer by layer.
#pragma once

#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/host/host_checkup.h"

namespace tcpscope {

/// One document with a final newline; `window` lies between the two readings.
std::string toJson(const std::vector<CheckRow>& rows, Nanoseconds window, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view checkupSchema();

}  // namespace tcpscope
