// A report as GitHub Flavored Markdown, for a ticket: what HTML shows as a plot is its sentence and a table here.
#pragma once

#include "core/present/html/report_page.h"

namespace tcpscope {

/// With everything of the page escaped: no name in it becomes a link, an image or HTML.
std::string toMarkdown(const ReportPage& page);

}  // namespace tcpscope
