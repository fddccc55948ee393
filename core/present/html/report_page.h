// A report as blocks in reading order: verdict, evidence with plots, advice, before and after, options, losses,
// check-up, appendix. HTML and PDF lay out the same blocks.
//
// Every text here is plain text for people; names that others wrote passed forPlainText(), and each page escapes all of
// it once more for itself.
#pragma once

#include <cstdint>
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
};

struct ReportTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct ReportFigure {
  TimePlot plot;
};

using ReportBlock = std::variant<ReportHeading, ReportParagraph, ReportVerdict, ReportFacts, ReportItems, ReportLines,
                                 ReportTable, ReportFigure>;

enum class ReportExtent : std::uint8_t {
  whole,
  /// Without the appendix: what the words mean, how the hosts were set, every figure.
  brief,
};

struct ReportPage {
  std::string title;
  /// What made it and, where that is known, when, for the foot of each page: "tcpscope 0.1.0, 2 January 2026,
  /// 03:04:05 UTC".
  std::string origin;
  std::vector<ReportBlock> blocks;
};

ReportPage pageOf(const ReportModel& report, ReportExtent extent = ReportExtent::whole);

/// ReportPage::origin.
std::string originOf(const ReportModel& report);

/// What the plot shows, at moments spread over its time.
ReportTable tableOf(const TimePlot& plot);

}  // namespace tcpscope
