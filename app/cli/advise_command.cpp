// `advise`: observes like `diagnose`, then prints what to change for each connection, with expected gain and cost.
#include "app/cli/commands.h"

#include <set>

#include "app/cli/connection_output.h"
#include "app/cli/connection_watch.h"
#include "app/cli/path_capacity.h"
#include "app/cli/path_feeding.h"
#include "core/base/escape.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/target_text.h"
#include "core/session/connection_advice.h"

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
  appendItem(out, "advice", style.bold(title(remedy)));
  for (const RemedyLine& line : linesOf(remedy)) {
    (line.isCommand ? appendCommand : appendItem)(out, line.label, line.text);
  }
  const std::string command = place.isLive ? undoableLine(remedy, connection) : std::string();
  if (!command.empty()) appendCommand(out, "apply", place.before + command);
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

/// The advice for one connection after the other, from what all of them show.
class Adviser {
public:
  Adviser(const ConnectionWatch& watch, const CommandOptions& options) : m_watch(watch), m_goal(options.goal) {
    for (const auto& detail : watch.details) {
      if (detail->socket.info.deliveredCe() > Segments(0)) m_markedPeers.insert(detail->socket.remote.address);
    }
  }

  [[nodiscard]] ConnectionAdvice adviceOf(const ConnectionDetail& detail) const {
    AdviceGoal goal = m_goal;
    goal.pathMarks = m_markedPeers.contains(detail.socket.remote.address);
    const SysctlValues& settings = m_watch.snapshot->settings(detail.row.id.place);
    return adviceFor(detail, settings, goal);
  }

private:
  const ConnectionWatch& m_watch;
  AdviceGoal m_goal;
  /// On the path to these a router marks.
  std::set<IpAddress> m_markedPeers;
};

ExitCode writeJson(const ConnectionWatch& watch, const CommandOptions& options) {
  ConnectionsDocumentPieces pieces;
  OutputParts out;
  const Adviser adviser(watch, options);
  out.append(pieces.begin(watch.documentHead()));
  for (const auto& detail : watch.details) {
    const ConnectionAdvice advice = adviser.adviceOf(*detail);
    out.append(pieces.connection(*detail, &advice));
  }
  out.append(ConnectionsDocumentPieces::end());
  return out.finish();
}

ExitCode writeText(const ConnectionWatch& watch, const CommandOptions& options) {
  const LinePlace place = linePlaceOf(options);
  const Style style(options.useColor());
  const Adviser adviser(watch, options);
  OutputParts out;
  TextBuffer text;
  const auto write = [&] {
    out.append({text.data(), text.size()});
    text.clear();
  };
  for (const auto& detail : watch.details) {
    if (!isActive(detail->diagnosis)) continue;
    const ConnectionAdvice advice = adviser.adviceOf(*detail);
    appendConnectionName(text, *detail, watch.snapshot->places, style);
    for (const SideDiagnosis* side : sidesOf(detail->diagnosis)) {
      appendSide(text, *detail, *side, side->side == Side::sending ? *advice.sending : *advice.receiving, place, style);
    }
    text.push_back('\n');
    write();
  }
  appendLeftOut(text, watch.gaps(), watch.details);
  if (watch.details.empty()) line(text, "No connection to advise on.");
  write();
  return out.finish();
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
  const ExitCode code = options.json ? writeJson(*watch, options) : writeText(*watch, options);
  feedPathHistory(options, *watch);
  if (code != ExitCode::done || !watch->details.empty() || !filter->root()) return code;
  return ExitCode::notThere;
}

}  // namespace tcpscope
