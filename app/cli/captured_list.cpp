#include "app/cli/captured_list.h"

#include <cmath>

#include "app/cli/connection_output.h"
#include "app/cli/connection_watch.h"
#include "app/cli/text_output.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/source_text.h"
#include "core/session/anonymizer.h"

namespace tcpscope {

namespace {

/// Figures of rows are NaN where not known.
void addFigure(TextTable& table, float figure, std::string (*format)(double)) {
  append(table.cell(), std::isnan(figure) ? std::string("-") : format(static_cast<double>(figure)));
  table.endCell();
}

void addConnection(TextTable& table, const ConnectionDetail& detail) {
  const ConnectionRow& row = detail.row;
  append(table.cell(), name(row.state));
  table.endCell();
  appendEndpoint(table.cell(), row.local);
  table.endCell();
  appendEndpoint(table.cell(), row.remote);
  table.endCell();
  addFigure(table, row.rttUs * 1e-6F, [](double seconds) { return formatTime(seconds); });
  addFigure(table, row.sentBytes, [](double bytes) { return formatBytes(bytes); });
  addFigure(table, row.receivedBytes, [](double bytes) { return formatBytes(bytes); });
  append(table.cell(), brief(detail.diagnosis.verdict, detail.diagnosis.bulk));
  table.endCell();
}

ExitCode writeTable(const ConnectionWatch& watch) {
  TextTable table({{"STATE"},
                   {"LOCAL", false, 10},
                   {"REMOTE", false, 13},
                   {"RTT", true},
                   {"SENT", true},
                   {"RECEIVED", true},
                   {"VERDICT", false, 0, 1}});
  for (const auto& detail : watch.details) addConnection(table, *detail);
  TextBuffer out;
  table.print(out, terminalWidth());
  if (const std::string lost = incompleteText(watch.gaps()); !lost.empty()) line(out, "{}", lost);
  return writeOut({out.data(), out.size()});
}

/// Replaces what of addresses and names would be shown.
void hide(ConnectionWatch& watch) {
  Anonymizer anonymizer;
  auto snapshot = std::make_shared<SessionSnapshot>(*watch.snapshot);
  for (Place& place : snapshot->places) anonymizer.hide(place);
  watch.snapshot = std::move(snapshot);
  for (auto& detail : watch.details) {
    auto hidden = std::make_shared<ConnectionDetail>(*detail);
    anonymizer.hide(*hidden);
    detail = std::move(hidden);
  }
}

ExitCode listCaptured(const CommandOptions& options, const ConnectionFilter& filter, ConnectionWatch watch) {
  if (watch.details.empty() && filter.root()) {
    return fail(ExitCode::notThere, "no connection matches the filter; 'tcpscope-cli list --from FILE' shows all");
  }
  if (options.anonymize) hide(watch);
  return options.form() == OutputForm::text ? writeTable(watch) : writeDocument(watch, options.form());
}

}  // namespace

std::optional<ExitCode> listCapture(const CommandOptions& options, const ConnectionFilter& filter) {
  if (!options.from || options.sshAddress()) return std::nullopt;
  auto captured = readCapturedConnections(filter, *options.from, WatchDepth::verdicts);
  if (!captured) return std::nullopt;
  return *captured ? listCaptured(options, filter, **std::move(captured)) : captured->error();
}

}  // namespace tcpscope
