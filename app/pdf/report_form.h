// What a report is written as, by the ending of its file's name: .html, .pdf, .md or .json.
#pragma once

#include <string>
#include <string_view>

#include "core/present/html/report_page.h"
#include "core/present/report/report_pair.h"

namespace tcpscope {

struct ReportForm {
  std::string_view ending;
  std::string (*write)(const ReportModel& report, ReportExtent extent);
  std::string (*writePair)(const ReportPair& pair, ReportExtent extent);
  /// Can it be brief? A document for programs is always whole.
  bool hasExtents = true;
};

/// Null where the ending says nothing.
const ReportForm* reportFormOf(std::string_view file);

}  // namespace tcpscope
