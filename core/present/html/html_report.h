// A report as one HTML file: no script, nothing from elsewhere, a content security policy that forbids both. Light or
// dark as the reader's system is, and always light on paper.
#pragma once

#include "core/present/html/report_page.h"

namespace tcpscope {

/// With everything of the page escaped for HTML.
std::string toHtml(const ReportPage& page);

}  // namespace tcpscope
