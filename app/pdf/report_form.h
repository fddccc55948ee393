// What a report is written as, by the ending of its file's name: .html, .pdf or .json.
#pragma once

#include <string>
#include <string_view>

#include "core/present/report/report_pair.h"

namespace tcpscope {

struct ReportForm {
  std::string_view ending;
  std::string (*write)(const ReportModel& report);
  std::string (*writePair)(const ReportPair& pair);
};

/// Null where the ending says nothing.
const ReportForm* reportFormOf(std::string_view file);

}  // namespace tcpscope
