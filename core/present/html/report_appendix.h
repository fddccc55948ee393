// The end of a report's appendix: what its words mean, how far to trust it, which tuning fits which load, how
// the hosts were set, and every figure that was reported.
#pragma once

#include "core/present/html/report_page.h"

namespace tcpscope {

/// `places` are those that report their settings.
void addAppendix(std::vector<ReportBlock>& blocks, const std::vector<CollectionGap>& gaps,
                 const std::vector<CaptureGap>& captureGaps, const std::vector<Place>& places,
                 const std::vector<ReportedConnection>& connections);

}  // namespace tcpscope
