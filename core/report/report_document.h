// The JSON document `tcpscope.report`: what the HTML and the PDF of a report say, for programs.
#pragma once

#include <string>

#include "core/report/report_model.h"

namespace tcpscope {

/// One document with a final newline. Connections stand as in `tcpscope.connections`.
std::string toJson(const ReportModel& report);

/// The JSON Schema, as installed and tested.
std::string_view reportSchema();

}  // namespace tcpscope
