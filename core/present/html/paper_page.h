// The experiments of papers as one page for a browser, or as one picture: ours beside what the papers print.
#pragma once

#include <span>
#include <string>

#include "core/session/paper_comparison.h"

namespace tcpscope::lab {

/// One file: no script, nothing from elsewhere, a content security policy that forbids both; light or dark as the
/// reader's system is, light on paper.
std::string toHtml(const PaperComparison& comparison);
/// The same of several papers, with a list of every figure and table before them: what reproduces, what does not, and
/// what is not repeated.
std::string toHtml(std::span<const PaperComparison> comparisons);
/// The figures alone.
std::string toSvg(const PaperComparison& comparison);
/// One line a cell and figure of every section, and one a run of what is drawn run by run.
std::string toCsv(const PaperComparison& comparison);

}  // namespace tcpscope::lab
