// One connection of a report, as blocks of its page.
#pragma once

#include <string_view>

#include "core/present/html/report_page.h"

namespace tcpscope {

/// Verdict and all that explains it, with a heading of its own. `count`: of how many it is number `index`.
void addConnection(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, const ClockPair& clock,
                   std::size_t index, std::size_t count);
/// What addSummary() leaves for the appendix: evidence, further plots, advice in full, findings, bounds, options,
/// losses.
void addDetails(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, const ClockPair& clock,
                std::size_t index, std::size_t count);

/// Before and after the first `most` settings that changed, with intervals; nothing where none did.
void addChangesTable(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, std::size_t most);
/// On the first pages; where there are more, the appendix has all.
inline constexpr std::size_t kMostSummarizedChanges = 3;
std::vector<std::string> linesIn(std::string_view text);
/// Commands of a remedy, each with the present value as a comment.
std::vector<std::string> linesToRun(const Remedy& remedy);
/// "this host sends 12.6 Mbit/s"; of a capture, which knows no host, with the sender's address.
std::string rateText(const ConnectionDetail& detail, const SideDiagnosis& side);
/// The title of its events; those of packets are single segments.
std::string_view titleOf(const ConnectionDetail& detail, HistoryEventKind kind);
/// Rate and limits over time stand on the first pages, the others in the appendix.
bool isOfSummary(const TimePlot& plot);

/// Every figure that was reported, with what it counts.
void addVariables(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, std::size_t index,
                  std::size_t count);

}  // namespace tcpscope
