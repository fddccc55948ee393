// One connection of a report, as blocks of its page.
#pragma once

#include "core/present/html/report_page.h"

namespace tcpscope {

/// Verdict, evidence, plots, advice, before and after, options, losses. `count`: of how many it is number `index`.
void addConnection(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, const ClockPair& clock,
                   std::size_t index, std::size_t count);

/// Every figure that was reported, with what it counts.
void addVariables(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, std::size_t index,
                  std::size_t count);

}  // namespace tcpscope
