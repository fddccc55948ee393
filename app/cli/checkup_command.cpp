// `checkup`: reads this host's links, queues and counters twice, and one process and one path on request, and
// says what stands in TCP's way, layer by layer.
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/path_option.h"
#include "app/cli/text_output.h"
#include "app/session/local_place.h"
#include "collectors/host/host_reading_reader.h"
#include "collectors/host/process_reading_reader.h"
#include "core/base/escape.h"
#include "core/host/path_checks.h"
#include "core/host/process_checks.h"
#include "core/present/json/checkup_document.h"
#include "core/present/text/checkup_text.h"

namespace tcpscope {

namespace {

std::string_view stateOf(CheckStatus status) {
  return status == CheckStatus::unknown ? std::string_view("-") : name(status);
}

void appendTable(TextBuffer& out, const std::vector<CheckRow>& rows) {
  TextTable table({{"LAYER"}, {"STATE"}, {"CHECK"}, {"OF"}, {"FOUND"}});
  std::string_view layer;
  for (const CheckRow& row : rows) {
    const std::string_view heading = title(row.layer) == layer ? std::string_view() : title(row.layer);
    layer = title(row.layer);
    const std::string object = forTerminal(row.object);
    const std::string found = finding(row);
    for (const std::string_view cell :
         {heading, stateOf(row.status), title(row.id), std::string_view(object), std::string_view(found)}) {
      append(table.cell(), cell);
      table.endCell();
    }
  }
  table.print(out);
}

/// The lowest layer first: a problem there causes symptoms in the layers above.
void appendAdvice(TextBuffer& out, const std::vector<CheckRow>& rows) {
  for (const CheckRow& row : rows) {
    const std::string_view text = advice(row);
    if (text.empty()) continue;
    const std::string object = row.object.empty() ? std::string() : " of " + forTerminal(row.object);
    fmt::format_to(std::back_inserter(out), "\n{}{} ({}): {}\n", title(row.id), object, stateOf(row.status), text);
  }
  if (worstOf(rows) == CheckStatus::pass) append(out, "\nNo problems found on this host.\n");
}

void appendHops(TextBuffer& out, const std::vector<CheckRow>& rows) {
  for (const CheckRow& row : rows) {
    if (!row.hops.empty()) append(out, "\n" + hopList(row) + "\n");
  }
}

}  // namespace

ExitCode checkupCommand(const CommandOptions& options) {
  const auto readProgram = [&] { return options.pid ? std::optional(readProcess("/", *options.pid)) : std::nullopt; };
  const auto programBefore = readProgram();
  if (programBefore && !*programBefore && programBefore->error() == UnknownReason::ended) {
    return fail(ExitCode::notThere,
                fmt::format("process {} does not exist, or this user may not see it", *options.pid));
  }
  const auto path = readPath(options);
  if (!path) return path.error();
  const HostReading before = readHost();
  std::this_thread::sleep_for(std::chrono::duration<double>(options.forSeconds));
  const HostReading after = readHost();
  std::vector<CheckRow> rows = checkUp(before, after);
  if (*path) addPathChecks(rows, UntrustedText(*options.path), **path);
  if (programBefore) {
    std::vector<CheckRow> ofProgram = checkUpProcess(*programBefore, *readProgram());
    std::move(ofProgram.begin(), ofProgram.end(), std::back_inserter(rows));
  }
  TextBuffer out;
  if (options.json) {
    append(out, toJson(rows, after.at - before.at, wallNow()));
  } else {
    appendTable(out, rows);
    appendHops(out, rows);
    appendAdvice(out, rows);
  }
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
