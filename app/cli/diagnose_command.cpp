// `diagnose`: watches for some seconds, then says for each connection what limits it, and why.
#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/connection_watch.h"
#include "app/cli/path_capacity.h"
#include "app/cli/path_feeding.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/target_text.h"

namespace tcpscope {

namespace {

void appendConnection(TextBuffer& out, const ConnectionDetail& detail, const std::vector<Place>& places,
                      const Style& style) {
  appendConnectionName(out, detail, places, style);
  for (const SideDiagnosis* side : sidesOf(detail.diagnosis)) {
    appendSideName(out, *side);
    appendDiagnosis(out, *side, style);
    if (side->side != Side::sending) continue;
    const std::string metrics = metricsText(transferMetrics(detail.socket, detail.window));
    if (!metrics.empty()) appendItem(out, "rfc 6349", metrics);
  }
  out.push_back('\n');
}

ExitCode writeText(const ConnectionWatch& watch, const Style& style) {
  TextBuffer out;
  for (const auto& detail : watch.details) {
    if (isActive(detail->diagnosis)) appendConnection(out, *detail, watch.snapshot->places, style);
  }
  for (const ListenerRow& listener : watch.snapshot->listeners) {
    for (const Finding& finding : listener.findings) {
      line(out, "{}  {}  {}", style.bold("listener " + listener.local.toString()), style.severity(finding.severity),
           sentence(finding, Side::receiving));
    }
  }
  appendLeftOut(out, watch.gaps(), watch.details);
  if (watch.details.empty()) line(out, "No connection to diagnose.");
  return writeOut({out.data(), out.size()});
}

/// What was found, in the form that is wanted.
ExitCode print(const CommandOptions& options, const ConnectionFilter& filter,
               const Expected<ConnectionWatch, ExitCode>& watch) {
  if (!watch) return watch.error();
  const bool isText = options.form() == OutputForm::text;
  const ExitCode code = isText ? writeText(*watch, Style(options.useColor())) : writeDocument(*watch, options.form());
  if (code != ExitCode::done || !watch->details.empty() || !filter.root()) return code;
  return ExitCode::notThere;
}

}  // namespace

ExitCode diagnoseRecording(const CommandOptions& options, const ConnectionFilter& filter, const std::string& file) {
  return print(options, filter, watchRecordedConnections(filter, file));
}

ExitCode diagnoseCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  auto watch = watchConnections(options, *filter);
  if (watch) learnCapacities(options, *watch);
  const ExitCode code = print(options, *filter, watch);
  if (watch) feedPathHistory(options, *watch);
  return code;
}

}  // namespace tcpscope
