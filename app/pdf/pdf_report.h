// A report as PDF.
#pragma once

#include <string>

#include "core/present/html/report_page.h"

namespace tcpscope {

/// The bytes of the file.
std::string toPdf(const ReportPage& page);

}  // namespace tcpscope
