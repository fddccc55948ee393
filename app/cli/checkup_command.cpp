// `checkup`: reads this host's links, queues and counters twice, and one process and one path on request, and
// says what stands in TCP's way, layer by layer; or has another host do so.
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/path_option.h"
#include "app/cli/text_output.h"
#include "app/remote/ssh_checkup.h"
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
  TextTable table({prose("LAYER"), {"STATE"}, prose("CHECK"), prose("OF"), prose("FOUND")});
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
  table.print(out, terminalWidth());
}

/// The lowest layer first: a problem there causes symptoms in the layers above.
void appendAdvice(TextBuffer& out, const HostCheckup& checkup) {
  for (const CheckRow& row : checkup.rows) {
    const std::string_view text = advice(row);
    if (text.empty()) continue;
    const std::string object = row.object.empty() ? std::string() : " of " + forTerminal(row.object);
    fmt::format_to(std::back_inserter(out), "\n{}{} ({}): {}\n", title(row.id), object, stateOf(row.status), text);
  }
  if (checkup.leftOut > 0)
    fmt::format_to(std::back_inserter(out), "\nChecks of a later version that are not shown: {}\n", checkup.leftOut);
  if (checkup.leftOut == 0 && worstOf(checkup.rows) == CheckStatus::pass) append(out, "\nNo problems found.\n");
}

void appendHops(TextBuffer& out, const std::vector<CheckRow>& rows) {
  for (const CheckRow& row : rows) {
    if (!row.hops.empty()) append(out, "\n" + hopList(row) + "\n");
  }
}

ExitCode print(const CommandOptions& options, const HostCheckup& checkup) {
  TextBuffer out;
  if (options.json) {
    append(out, toJson(checkup.rows, checkup.window, wallNow()));
  } else {
    appendTable(out, checkup.rows);
    appendHops(out, checkup.rows);
    appendAdvice(out, checkup);
  }
  return writeOut({out.data(), out.size()});
}

ExitCode checkUpThere(const CommandOptions& options) {
  const auto address = options.sshAddress();
  const auto host = address ? parseSshAddress(*address) : std::nullopt;
  if (!host) {
    return fail(ExitCode::wrongUsage,
                fmt::format("'{}' is not a host to check; use --from ssh://HOST", forTerminal(*options.from)));
  }
  CheckupOrder order;
  order.time = std::chrono::round<Milliseconds>(std::chrono::duration<double>(options.forSeconds));
  order.pid = options.pid;
  if (options.path) order.path = *options.path;
  // ssh asks on the terminal itself, and says there what went wrong; so does the program there.
  const CheckupAnswer answer = askForCheckup(*host, SshManner::inTerminal, order);
  const auto checkup = checkupIn(*address, answer);
  const bool isNotThere = answer.exitCode == static_cast<int>(ExitCode::notThere);
  if (!checkup) return fail(isNotThere ? ExitCode::notThere : ExitCode::systemFailed, checkup.error());
  return print(options, *checkup);
}

}  // namespace

ExitCode checkupCommand(const CommandOptions& options) {
  if (options.from) return checkUpThere(options);
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
  return print(options, {std::move(rows), after.at - before.at});
}

}  // namespace tcpscope
