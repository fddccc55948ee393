// The JSON document `tcpscope.checkup`: whether a host is fit for fast TCP, layer by layer. Written here, and read from
// another host's tcpscope.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/host/host_checkup.h"

namespace tcpscope {

/// One document with a final newline; `window` lies between the two readings.
std::string toJson(const std::vector<CheckRow>& rows, Nanoseconds window, WallTime time);

inline constexpr std::size_t kMostCheckupDocumentBytes = 1U << 20U;

/// Nothing where it is no such document. Checks that are not known here, as a later version's, are left out, and so are
/// figures out of their ranges: another host may say anything.
std::optional<HostCheckup> parseCheckup(std::string_view text);

/// The JSON Schema, as installed and tested.
std::string_view checkupSchema();

}  // namespace tcpscope
