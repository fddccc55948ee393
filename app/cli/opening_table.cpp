#include "app/cli/opening_table.h"

#include <algorithm>

#include "app/cli/connection_output.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::vector<Column> columnsOf(OpeningsFrom from) {
  std::vector<Column> columns = {{"DESTINATION"}, {"OPENED", true}};
  if (from == OpeningsFrom::packets) {
    columns.insert(columns.end(), {{"SYN RETRANS", true}, {"REFUSED", true}, {"UNANSWERED", true}});
  } else {
    columns.push_back({"FAILED", true});
  }
  columns.insert(columns.end(), {{"CONNECT MEDIAN", true}, {"95 %", true}, {"MAX", true}});
  if (from == OpeningsFrom::packets) {
    columns.insert(columns.end(), {{"FIRST BYTE MEDIAN", true}, {"95 %", true}, {"MAX", true}});
  }
  return columns;
}

}  // namespace

ExitCode writeOpenings(TextBuffer& out, const OpeningTally& tally, OpeningsFrom from) {
  constexpr std::size_t kMostRows = 20;
  const std::vector<DestinationOpenings> openings = tally.worstFirst();
  if (openings.empty()) return ExitCode::done;
  TextTable table(columnsOf(from));
  const auto cell = [&](std::string_view text) {
    append(table.cell(), text);
    table.endCell();
  };
  const auto spread = [&](const std::optional<RttSummary>& times) {
    const auto quantile = [&](Nanoseconds span) {
      return formatQuantileTime(toSeconds(span), toSeconds(times->min), toSeconds(times->max));
    };
    cell(times ? quantile(times->median) : std::string());
    cell(times ? quantile(times->p95) : std::string());
    cell(times ? formatTime(toSeconds(times->max)) : std::string());
  };
  for (std::size_t row = 0; row < std::min(openings.size(), kMostRows); ++row) {
    const DestinationOpenings& one = openings[row];
    cell(one.remote.toString());
    cell(std::to_string(one.opened));
    if (from == OpeningsFrom::packets) {
      for (const std::uint64_t count : {one.repeated, one.refused, one.unanswered}) cell(std::to_string(count));
    } else {
      cell(std::to_string(one.failed));
    }
    spread(one.connect);
    if (from == OpeningsFrom::packets) spread(one.firstByte);
  }
  out.push_back('\n');
  if (const ExitCode code = table.write(out); code != ExitCode::done) return code;
  if (openings.size() > kMostRows) {
    line(out, "{} more destinations{}", openings.size() - kMostRows,
         from == OpeningsFrom::packets ? "; --json lists them" : "");
  }
  if (tally.leftOut() > 0) {
    line(out, "{} connections to further destinations are not counted here; a filter behind '--' selects them",
         tally.leftOut());
  }
  return ExitCode::done;
}

}  // namespace tcpscope
