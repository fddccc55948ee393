// How wide the columns of a table are: each has room for its longest word, and what texts want more is shared out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/present/html/report_page.h"

namespace tcpscope {

/// Titles are in other letters than what stands below them.
enum class CellKind : std::uint8_t { title, text };
/// Of a text in one line, in points.
using TextWidth = std::function<double(const std::string&, CellKind)>;

/// In points, `width` in all, each with `between` behind its text. Where not even the longest words fit beside each
/// other, the columns of the longest are narrowed.
std::vector<double> columnWidths(const ReportTable& table, double width, double between, const TextWidth& widthOf);

}  // namespace tcpscope
