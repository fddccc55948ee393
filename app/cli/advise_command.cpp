// `advise`: observes like `diagnose`, then prints what to change for each connection, with expected gain and cost.
#include "app/cli/commands.h"

#include <algorithm>

#include "app/cli/connection_output.h"
#include "app/cli/connection_watch.h"
#include "app/cli/path_capacity.h"
#include "app/cli/path_feeding.h"
#include "core/base/escape.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/target_text.h"

namespace tcpscope {

namespace {

/// Where a line changes something at once: nowhere in a recording, which is over.
struct LinePlace {
  bool isLive = false;
  /// "on db1: " before what is to be run at another host; empty for this one.
  std::string before;
};

LinePlace linePlaceOf(const CommandOptions& options) {
  if (const auto host = options.sshAddress()) return {true, "on " + forTerminal(*host) + ": "};
  return {!options.from && !options.networkNamespace, {}};
}

void appendRemedy(TextBuffer& out, const Remedy& remedy, const SocketObservation& connection, const LinePlace& place,
                  const Style& style) {
  appendItem(out, "advice", style.bold(title(remedy.id)));
  for (const RemedyLine& line : linesOf(remedy)) appendItem(out, line.label, line.text);
  const std::string command = place.isLive ? undoableLine(remedy, connection) : std::string();
  if (!command.empty()) appendItem(out, "apply", place.before + command);
}

void appendSide(TextBuffer& out, const ConnectionDetail& detail, const SideDiagnosis& side, const SideAdvice& advice,
                const LinePlace& place, const Style& style) {
  appendSideName(out, side);
  appendVerdict(out, side, style);
  for (const Remedy& remedy : advice.remedies) appendRemedy(out, remedy, detail.socket, place, style);
  if (side.side == Side::sending) {
    const std::string metrics = metricsText(transferMetrics(detail.socket, detail.window), advice.transferTimeRatio);
    if (!metrics.empty()) appendItem(out, "rfc 6349", metrics);
  }
  if (advice.target) appendItem(out, "target", sentence(*advice.target));
  if (advice.lossBudget) appendItem(out, "budget", sentence(*advice.lossBudget));
  if (advice.whyNot != WhyNoAdvice::none) appendItem(out, "advice", sentence(advice.whyNot));
}

void appendText(TextBuffer& out, const ConnectionsDocument& document, const ConnectionWatch& watch,
                const LinePlace& place, const Style& style) {
  for (std::size_t index = 0; index < document.connections.size(); ++index) {
    const ConnectionDetail& detail = *document.connections[index];
    const ConnectionAdvice& advice = document.advice[index];
    if (!isActive(detail.diagnosis)) continue;
    appendConnectionName(out, detail, style);
    for (const SideDiagnosis* side : sidesOf(detail.diagnosis)) {
      appendSide(out, detail, *side, side->side == Side::sending ? *advice.sending : *advice.receiving, place, style);
    }
    out.push_back('\n');
  }
  appendLeftOut(out, watch.gaps(), watch.details);
  if (watch.details.empty()) line(out, "No connection to advise on.");
}

/// A connection to this peer had packets marked.
bool pathMarks(const ConnectionWatch& watch, const IpAddress& peer) {
  return std::any_of(watch.details.begin(), watch.details.end(), [&](const auto& detail) {
    return detail->socket.remote.address == peer && detail->socket.info.deliveredCe() > Segments(0);
  });
}

}  // namespace

ExitCode adviseCommand(const CommandOptions& options) {
  if (options.jsonStream) {
    return fail(ExitCode::wrongUsage, "advice is one document, not one line per connection; use --json");
  }
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  auto watch = watchConnections(options, *filter);
  if (!watch) return watch.error();
  learnCapacities(options, *watch);
  ConnectionsDocument document = watch->document();
  for (const auto& detail : watch->details) {
    const SysctlValues& settings = watch->snapshot->settings(detail->row.id.place);
    AdviceGoal goal = options.goal;
    goal.pathMarks = pathMarks(*watch, detail->socket.remote.address);
    document.advice.push_back(adviceFor(detail->socket, detail->window, detail->diagnosis, settings, goal));
  }
  TextBuffer out;
  if (options.json) {
    append(out, toJson(document));
  } else {
    appendText(out, document, *watch, linePlaceOf(options), Style(options.useColor()));
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  feedPathHistory(options, *watch);
  if (code != ExitCode::done || !watch->details.empty() || !filter->root()) return code;
  return ExitCode::notThere;
}

}  // namespace tcpscope
