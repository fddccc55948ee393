// The JSON documents `tcpscope.report` and, of two side by side, `tcpscope.comparison`: what their HTML and PDF say,
// for programs.
#pragma once

#include <string>
#include <string_view>

#include "core/present/report/report_pair.h"

namespace tcpscope {

/// One document with a final newline. Connections stand as in `tcpscope.connections`.
std::string toJson(const ReportModel& report);

std::string toJson(const ReportPair& pair);

/// The JSON Schemas, as installed and tested.
std::string_view reportSchema();
std::string_view comparisonSchema();

}  // namespace tcpscope
