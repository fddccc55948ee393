// The two pages of a report about one connection that come first: verdict, what to do and by whom, before and after,
// and the plots that show why.
#pragma once

#include "core/present/html/report_page.h"

namespace tcpscope {

/// `index`: of report.connections.
void addSummary(std::vector<ReportBlock>& blocks, const ReportModel& report, std::size_t index);

}  // namespace tcpscope
