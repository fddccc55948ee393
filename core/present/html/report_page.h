// A report as blocks in reading order: for each connection two pages with verdict, advice, before and after, and the
// plots that show it; then the appendix with everything else. HTML and PDF lay out the same blocks.
//
// Every text here is plain text for people; names that others wrote passed forPlainText(), and each page escapes all of
// it once more for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/present/report/report_model.h"
#include "core/present/svg/time_plot.h"

namespace tcpscope {

struct ReportHeading {
  /// 2 for a part of the report, 3 and 4 below.
  int level = 2;
  std::string text;
};

struct ReportParagraph {
  std::string text;
};

/// The sentence that everything else explains, and how sure it is.
struct ReportVerdict {
  std::string text;
  std::string note;
};

/// Name and text, row by row.
struct ReportFacts {
  std::vector<std::pair<std::string, std::string>> rows;
};

struct ReportItems {
  std::vector<std::string> items;
};

/// To be copied as they are: commands, a letter.
struct ReportLines {
  std::string title;
  std::vector<std::string> lines;
  /// Of a mail with these lines; empty where they are none.
  std::string mailSubject{};
};

struct ReportTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct ReportFigure {
  TimePlot plot;
};

/// On paper, what follows begins on a new page.
struct ReportPageBreak {};

using ReportBlock = std::variant<ReportHeading, ReportParagraph, ReportVerdict, ReportFacts, ReportItems, ReportLines,
                                 ReportTable, ReportFigure, ReportPageBreak>;

enum class ReportExtent : std::uint8_t {
  whole,
  /// Without the appendix.
  brief,
};

/// Each connection, and a comparison, has so many pages of paper before the appendix.
inline constexpr std::size_t kSummaryPages = 2;

struct ReportPage {
  std::string title;
  /// What made it and, where that is known, when, for the foot of each page: "tcpscope 0.1.0, 2 January 2026,
  /// 03:04:05 UTC".
  std::string origin;
  std::vector<ReportBlock> blocks;
  /// So many parts, as page breaks divide them, have kSummaryPages each; the appendix follows.
  std::size_t summaries = 0;
  /// Below the title: for whom it is, and which files it is about.
  ReportFacts cover{};
  std::optional<ReportLogo> logo{};
};

ReportPage pageOf(const ReportModel& report, ReportExtent extent = ReportExtent::whole);

/// ReportPage::cover.
ReportFacts coverOf(const ReportModel& report);

/// ReportPage::origin.
std::string originOf(const ReportModel& report);

/// What the plot shows, at moments spread over its time.
ReportTable tableOf(const TimePlot& plot);

}  // namespace tcpscope
