#include "app/cli/analyze_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "app/cli/connection_output.h"
#include "app/cli/opening_table.h"
#include "app/session/ordered_work.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

constexpr std::size_t kColumns = 10;

struct RankedRow {
  OrderRank rank;
  std::array<std::string, kColumns> cells;
};

/// Of the capture: several may be years apart.
WallTime startOf(const AnalysedFiles& all, const AnalysedCapture& capture) {
  return all.files[capture.parts.front().file].firstTime.value_or(WallTime());
}

std::array<std::string, kColumns> cellsOf(const ConnectionAnalysis& analysis, WallTime start) {
  const ConnectionSummary& flow = analysis.flow;
  const DirectionSummary& bulk = flow.directions[analysis.bulk];
  const auto rtt = pathRtt(flow, analysis.bulk);
  const SideDiagnosis& side = analysis.directions[analysis.bulk].diagnosis;
  return {flow.initiator.toString(),
          analysis.bulk == 0 ? "->" : "<-",
          flow.responder.toString(),
          fmt::format("{:.3f}", toSeconds(flow.firstTime - start)),
          formatTime(toSeconds(flow.lastTime - flow.firstTime)),
          formatBytes(static_cast<double>(streamBytes(flow))),
          bulk.goodput ? formatRate(*bulk.goodput) : std::string(),
          std::to_string(retransmittedPackets(bulk)),
          rtt ? formatTime(toSeconds(*rtt)) : std::string(),
          brief(side.verdict, side.side)};
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
  for (std::size_t row = 0; row < shown; ++row) {
    for (const std::string& text : rows[row].cells) {
      append(table.cell(), text);
      table.endCell();
    }
  }
  if (const ExitCode code = table.write(out); code != ExitCode::done) return code;
  const std::string count = shown < rows.size() ? fmt::format("{} of {}", shown, rows.size()) : std::to_string(shown);
  line(out, "\n{} connections, {}; --details shows them whole, a filter behind '--' selects, as in -- src {}", count,
       phrase(form.orderOrWorst()), rows.front().cells.front());
  if (const ExitCode code = writeOpenings(out, openings, OpeningsFrom::packets); code != ExitCode::done) return code;
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
