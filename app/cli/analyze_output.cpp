#include "app/cli/analyze_output.h"

#include <fmt/chrono.h>

#include <algorithm>

#include "app/cli/captured_direction_output.h"
#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/flow_text.h"
#include "core/present/text/sentences.h"
#include "core/session/capture/capture_gap.h"

namespace tcpscope {

namespace {

std::string timeText(WallTime time) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  const std::int64_t rest = (time.nanoseconds() % kPerSecond + kPerSecond) % kPerSecond;
  const std::time_t second = (time.nanoseconds() - rest) / kPerSecond;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} UTC", fmt::gmtime(second), rest / 1'000'000);
}

void appendFile(TextBuffer& out, const CapturedFile& file, const Style& style) {
  if (file.format == FileFormat::unknown) return;
  const std::string name = file.name.rawBytes() == "-" ? std::string("standard input") : forTerminal(file.name);
  std::string span;
  if (file.firstTime && file.lastTime) {
    span = fmt::format(" in {} from {}", formatTime(toSeconds(*file.lastTime - *file.firstTime)),
                       timeText(*file.firstTime));
  }
  line(out, "{}  {}, {} packet{}{}", style.bold(name), title(file.format), file.packets, file.packets == 1 ? "" : "s",
       span);
  for (const CaptureGap& gap : gapsOf(file)) {
    const GapSeverity level = severity(gap.kind);
    const FindingSeverity shown = level == GapSeverity::dataLoss  ? FindingSeverity::problem
                                  : level == GapSeverity::warning ? FindingSeverity::warning
                                                                  : FindingSeverity::note;
    const std::string_view word = level == GapSeverity::dataLoss  ? "missing"
                                  : level == GapSeverity::warning ? "warning"
                                                                  : "note";
    line(out, "  {}  {}", style.colored(shown, word), sentence(gap));
  }
}

void appendConnection(TextBuffer& out, const ConnectionAnalysis& analysis, const Style& style) {
  const ConnectionSummary& flow = analysis.flow;
  line(out, "{}  {} from {}, {}",
       style.bold(fmt::format("{} -> {}", flow.initiator.toString(), flow.responder.toString())),
       formatTime(toSeconds(flow.lastTime - flow.firstTime)), timeText(flow.firstTime), capturedWhere(flow));
  std::string handshake = negotiated(flow);
  if (flow.handshakeRtt) {
    handshake = fmt::format("RTT {}, {}", formatTime(toSeconds(*flow.handshakeRtt)), handshake);
  }
  line(out, "  handshake     {}", handshake);
  if (!flow.initiatorIsSure) line(out, "  note          the initiator is guessed from the ports");
  for (const std::size_t direction : {analysis.bulk, 1 - analysis.bulk}) {
    appendDirection(out, analysis, direction, style);
  }
  out.push_back('\n');
}

std::uint64_t bytesOf(const ConnectionSummary& flow) {
  return (flow.directions[0].sent.unique + flow.directions[1].sent.unique).value();
}

void addRow(TextTable& table, const ConnectionAnalysis& analysis, WallTime start) {
  const ConnectionSummary& flow = analysis.flow;
  const DirectionSummary& bulk = flow.directions[analysis.bulk];
  const auto cell = [&](std::string_view text) {
    append(table.cell(), text);
    table.endCell();
  };
  cell(flow.initiator.toString());
  cell(analysis.bulk == 0 ? "->" : "<-");
  cell(flow.responder.toString());
  cell(fmt::format("{:.3f}", toSeconds(flow.firstTime - start)));
  cell(formatTime(toSeconds(flow.lastTime - flow.firstTime)));
  cell(formatBytes(static_cast<double>(bytesOf(flow))));
  cell(bulk.goodput ? formatRate(*bulk.goodput) : std::string());
  cell(std::to_string(retransmittedPackets(bulk)));
  const auto rtt = pathRtt(flow, analysis.bulk);
  cell(rtt ? formatTime(toSeconds(*rtt)) : std::string());
  const SideDiagnosis& side = analysis.directions[analysis.bulk].diagnosis;
  cell(brief(side.verdict, side.side));
}

ExitCode writeTable(TextBuffer& out, const AnalysedFiles& all, const std::vector<CapturedPick>& picks) {
  std::vector<std::pair<std::uint64_t, CapturedPick>> order;
  for (const CapturedPick& pick : picks) {
    const CaptureConnection& connection = *pick.capture->analysis.flows().connections()[pick.index];
    order.emplace_back((connection.transmission(0).counts.unique + connection.transmission(1).counts.unique).value(),
                       pick);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  WallTime start = WallTime::fromNanoseconds(INT64_MAX);
  for (const CapturedFile& file : all.files) start = std::min(start, file.firstTime.value_or(start));
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
  for (const auto& [bytes, pick] : order) addRow(table, pick.analysis(), start);
  return table.write(out);
}

}  // namespace

ExitCode writeAnalysis(const AnalysedFiles& all, const std::vector<CapturedPick>& picks, bool isFiltered, bool color) {
  const Style style(color);
  TextBuffer out;
  for (const CapturedFile& file : all.files) appendFile(out, file, style);
  out.push_back('\n');
  if (picks.empty()) {
    line(out, "{}", isFiltered ? "No connection matches the filter." : "No TCP connections.");
  }
  const bool isTable = picks.size() > kConnectionsShownWhole;
  if (isTable) {
    if (const ExitCode code = writeTable(out, all, picks); code != ExitCode::done) return code;
    line(out, "\n{} connections, most data first; filter with '--' for details, as in -- src {}", picks.size(),
         picks.front().capture->analysis.flows().connections()[picks.front().index]->endpoint(0).toString());
  } else {
    for (const CapturedPick& pick : picks) appendConnection(out, pick.analysis(), style);
  }
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
