#include "app/cli/analyze_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/connection_output.h"
#include "app/cli/opening_table.h"
#include "app/session/ordered_work.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// No cell contains one.
constexpr char kCellEnd = '\t';

/// Its cells are one text, which is quick to keep and to sort.
struct RankedRow {
  OrderRank rank;
  std::string cells;

  [[nodiscard]] std::string_view firstCell() const { return std::string_view(cells).substr(0, cells.find(kCellEnd)); }
};

/// Of the capture: several may be years apart.
WallTime startOf(const AnalysedFiles& all, const AnalysedCapture& capture) {
  return all.files[capture.parts.front().file].firstTime.value_or(WallTime());
}

std::string cellsOf(const ConnectionAnalysis& analysis, WallTime start) {
  const ConnectionSummary& flow = analysis.flow;
  const DirectionSummary& bulk = flow.directions[analysis.bulk];
  const auto rtt = pathRtt(flow, analysis.bulk);
  const SideDiagnosis& side = analysis.directions[analysis.bulk].diagnosis;
  return fmt::format("{}\t{}\t{}\t{:.3f}\t{}\t{}\t{}\t{}\t{}\t{}\t", flow.initiator.toString(),
                     analysis.bulk == 0 ? "->" : "<-", flow.responder.toString(), toSeconds(flow.firstTime - start),
                     formatTime(toSeconds(flow.lastTime - flow.firstTime)),
                     formatBytes(static_cast<double>(streamBytes(flow))),
                     bulk.goodput ? formatRate(*bulk.goodput) : std::string(), retransmittedPackets(bulk),
                     rtt ? formatTime(toSeconds(*rtt)) : std::string(), brief(side.verdict, side.side));
}

void addRow(TextTable& table, std::string_view cells) {
  while (!cells.empty()) {
    const std::size_t end = cells.find(kCellEnd);
    append(table.cell(), cells.substr(0, end));
    table.endCell();
    cells.remove_prefix(end + 1);
  }
}

}  // namespace

ExitCode writeTable(TextBuffer& out, const AnalysedFiles& all, const std::vector<CapturedPick>& picks,
                    const AnalysisForm& form) {
  // Each connection is analyzed once: what its line says is kept, the analysis is not.
  std::vector<RankedRow> rows;
  rows.reserve(picks.size());
  OpeningTally openings;
  makeInOrder(
      picks.size(), threadsOfMachine(),
      [&](std::size_t index) {
        const ConnectionAnalysis analysis = picks[index].analysis(WithHistory::no);
        return std::pair(
            RankedRow{rankOf(form.orderOrWorst(), analysis), cellsOf(analysis, startOf(all, *picks[index].capture))},
            openingOf(analysis));
      },
      [&](std::pair<RankedRow, ConnectionOpening>&& one) {
        rows.push_back(std::move(one.first));
        openings.add(one.second);
        return true;
      });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const RankedRow& a, const RankedRow& b) { return a.rank.comesBefore(b.rank); });
  TextTable table({{"OPENED BY"},
                   {""},
                   {"REMOTE"},
                   {"START s", true},
                   {"DURATION", true},
                   {"DATA", true},
                   {"GOODPUT", true},
                   {"RETRANS", true},
                   {"RTT", true},
                   {"LIMITED BY"}});
  const std::size_t shown = std::min(rows.size(), form.top.value_or(rows.size()));
  table.reserveRows(shown);
  for (std::size_t row = 0; row < shown; ++row) addRow(table, rows[row].cells);
  if (const ExitCode code = table.write(out); code != ExitCode::done) return code;
  const std::string count = shown < rows.size() ? fmt::format("{} of {}", shown, rows.size()) : std::to_string(shown);
  line(out, "\n{} connections, {}; --details shows them whole, a filter behind '--' selects, as in -- src {}", count,
       phrase(form.orderOrWorst()), rows.front().firstCell());
  if (const ExitCode code = writeOpenings(out, openings, OpeningsFrom::packets); code != ExitCode::done) return code;
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
