// Two reports as one page: what was faster, what differs, both over time in one picture, then each for itself.
#pragma once

#include "core/present/html/report_page.h"
#include "core/present/report/report_pair.h"

namespace tcpscope {

ReportPage pageOf(const ReportPair& pair, ReportExtent extent = ReportExtent::whole);

}  // namespace tcpscope
