// `doctor`: tries what tcpscope needs on this machine, and names the command that mends what is missing.
#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/text_output.h"
#include "app/session/local_place.h"
#include "collectors/probe/capability_probe.h"
#include "collectors/probe/lab_probe.h"
#include "core/base/escape.h"
#include "core/present/json/doctor_document.h"
#include "core/present/text/host_text.h"

namespace tcpscope {

namespace {

void appendTable(TextBuffer& out, const CapabilityReport& report) {
  TextTable table({{"STATE"}, prose("WHAT"), prose("WHY")});
  for (const CapabilityState& state : report) {
    const std::string why = explanation(state);
    const std::string_view status = state.status == CapabilityStatus::notTried ? "-" : name(state.status);
    for (const std::string_view text : {status, title(state.capability), std::string_view(why)}) {
      append(table.cell(), text);
      table.endCell();
    }
  }
  table.print(out, terminalWidth());
}

/// Never broken, so that they can be copied.
void appendCommands(TextBuffer& out, const CapabilityReport& report) {
  for (const CapabilityState& state : report) {
    const std::string_view command = remedyCommand(state);
    if (!command.empty()) line(out, "\n{}:\n    {}", title(state.capability), command);
  }
}

/// Only a missing list of connections is a failure; everything else is just reported.
ExitCode codeOf(const CapabilityReport& report) {
  for (const CapabilityState& state : report) {
    if (state.capability != Capability::socketDump || state.status != CapabilityStatus::missing) continue;
    const bool lacksRight = state.reason == CapabilityReason::notPermitted;
    return lacksRight ? ExitCode::missingRight : ExitCode::systemFailed;
  }
  return ExitCode::done;
}

}  // namespace

ExitCode doctorCommand(const CommandOptions& options) {
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return fail(place.error());
  CapabilityReport report = probeCapabilities(place->access);
  for (const CapabilityState& state : probeLab()) report.push_back(state);

  TextBuffer out;
  if (options.json) {
    append(out, toJson(report, place->place.kernel, wallNow()));
  } else {
    fmt::format_to(std::back_inserter(out), "Linux {}\n", forTerminal(place->place.kernel));
    appendTable(out, report);
    appendCommands(out, report);
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  return code == ExitCode::done ? codeOf(report) : code;
}

}  // namespace tcpscope
