// `problems`: watches for some seconds, then prints what needs attention, worst first; for monitoring.
#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/connection_watch.h"
#include "core/base/escape.h"
#include "core/present/json/problems_document.h"
#include "core/present/text/problem_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

void appendProblem(TextBuffer& out, const Problem& problem, const Style& style) {
  std::string owner;
  if (problem.owner && problem.endpoint != Endpoint()) {
    owner = fmt::format("  {} ({})", forTerminal(problem.owner->processName), problem.owner->pid);
  }
  line(out, "{}  {}{}  {}. {}", style.severity(problem.severity), style.bold(subject(problem)), owner, phrase(problem),
       nextStep(problem));
}

}  // namespace

ExitCode problemsCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const auto watch = watchConnections(options, *filter);
  if (!watch) return watch.error();
  const std::vector<Problem> problems = problemsOf(*watch->snapshot, *filter);
  TextBuffer out;
  if (options.form() == OutputForm::text) {
    const Style style(options.useColor());
    for (const Problem& problem : problems) appendProblem(out, problem, style);
    if (const std::string lost = incompleteText(watch->gaps()); !lost.empty()) line(out, "{}", lost);
    if (problems.empty()) line(out, "No problems.");
  } else {
    append(out, toJson(problems, *watch->snapshot, watch->time));
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  // As monitoring expects: success means that there is nothing to do.
  return code != ExitCode::done || problems.empty() ? code : ExitCode::notThere;
}

}  // namespace tcpscope
