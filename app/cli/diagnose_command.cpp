// `diagnose`: watches for some seconds, then says for each connection what limits it, and why.
#include "app/cli/commands.h"
#include "app/cli/connection_look.h"
#include "app/cli/connection_output.h"
#include "app/cli/path_feeding.h"
#include "core/present/text/sentences.h"
#include "core/present/text/target_text.h"

namespace tcpscope {

namespace {

void appendConnection(TextBuffer& out, const ConnectionDetail& detail, const Style& style) {
  appendConnectionName(out, detail, style);
  for (const SideDiagnosis* side : sidesOf(detail.diagnosis)) {
    appendSideName(out, *side);
    appendDiagnosis(out, *side, style);
    if (side->side != Side::sending) continue;
    const std::string metrics = metricsText(transferMetrics(detail.socket, detail.window));
    if (!metrics.empty()) appendItem(out, "rfc 6349", metrics);
  }
  out.push_back('\n');
}

void appendText(TextBuffer& out, const ConnectionLook& look, const Style& style) {
  for (const auto& detail : look.details) {
    if (isActive(detail->diagnosis)) appendConnection(out, *detail, style);
  }
  for (const ListenerRow& listener : look.snapshot->listeners) {
    for (const Finding& finding : listener.findings) {
      line(out, "{}  {}  {}", style.bold("listener " + listener.local.toString()), style.severity(finding.severity),
           sentence(finding, Side::receiving));
    }
  }
  appendLeftOut(out, *look.snapshot, look.details);
  if (look.details.empty()) line(out, "No connection to diagnose.");
}

/// What was found, in the form that is wanted.
ExitCode tell(const CommandOptions& options, const ConnectionFilter& filter,
              const Expected<ConnectionLook, ExitCode>& look) {
  if (!look) return look.error();
  TextBuffer out;
  if (options.form() == OutputForm::text) {
    appendText(out, *look, Style(options.useColor()));
  } else if (options.form() == OutputForm::json) {
    append(out, toJson(look->document()));
  } else {
    for (const auto& detail : look->details) append(out, toJsonLine(*detail, SampleEvent::sample, look->time));
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  if (code != ExitCode::done || !look->details.empty() || !filter.root()) return code;
  return ExitCode::notThere;
}

}  // namespace

ExitCode diagnoseRecording(const CommandOptions& options, const ConnectionFilter& filter, const std::string& file) {
  return tell(options, filter, lookAtRecording(filter, file));
}

ExitCode diagnoseCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const auto look = lookAtConnections(options, *filter);
  const ExitCode code = tell(options, *filter, look);
  if (look) feedPathBook(options, *look);
  return code;
}

}  // namespace tcpscope
