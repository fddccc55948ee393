// The end of a report's page: what its words mean, how far to trust it, and every figure that was reported.
#pragma once

#include "core/report/report_page.h"

namespace tcpscope {

void addAppendix(std::vector<ReportBlock>& blocks, const std::vector<CollectionGap>& gaps,
                 const std::vector<ReportedConnection>& connections);

}  // namespace tcpscope
