// `paths`: the path history, one path with the buffers for the next connection, and deleting entries.
#include "app/cli/commands.h"
#include "app/cli/resolved_host.h"
#include "app/cli/text_output.h"
#include "app/session/local_place.h"
#include "app/store/path_history/path_history_store.h"
#include "collectors/host/place_reader.h"
#include "collectors/host/sysctl_facts.h"
#include "core/base/escape.h"
#include "core/present/json/path_document.h"
#include "core/present/text/path_history_text.h"

namespace tcpscope {

namespace {

ExitCode failPathHistory(const PathHistoryError& error) {
  switch (error.kind) {
    case PathHistoryErrorKind::damaged:
    case PathHistoryErrorKind::foreign:
    case PathHistoryErrorKind::later:
      return fail(ExitCode::badInput, sentence(error));
    case PathHistoryErrorKind::notOpened:
      return fail(error.number == EACCES || error.number == EPERM ? ExitCode::missingRight : ExitCode::systemFailed,
                  sentence(error));
    default:
      return fail(ExitCode::systemFailed, sentence(error));
  }
}

/// What is in the history; nothing where there is none.
Expected<std::vector<PathEntry>, PathHistoryError> readHistory() {
  const auto folder = PathHistoryStore::folder();
  if (!folder) return Unexpected<PathHistoryError>(PathHistoryError{PathHistoryErrorKind::noFolder});
  const auto store = PathHistoryStore::openToRead(*folder);
  if (!store) return Unexpected<PathHistoryError>(store.error());
  if (!*store) return std::vector<PathEntry>();
  return (*store)->entries();
}

void appendPathTable(TextBuffer& out, const std::vector<PathEntry>& entries) {
  TextTable table({{"PATH"},
                   {"RTT", true},
                   {"TX RATE", true},
                   {"RX RATE", true},
                   {"BDP", true},
                   {"LOSS", true},
                   {"USUAL LIMIT"},
                   {"CONNECTIONS", true},
                   {"LAST SEEN"}});
  for (const PathEntry& entry : entries) {
    for (const std::string& text : pathCells(entry)) {
      append(table.cell(), text);
      table.endCell();
    }
  }
  table.print(out);
}

void appendPath(TextBuffer& out, const PathDocumentRow& row) {
  const auto put = [&](std::string_view title, std::string_view text) {
    fmt::format_to(std::back_inserter(out), "  {:<11}{}\n", title, text);
  };
  append(out, pathSentence(row.entry));
  out.push_back('\n');
  for (const auto& [title, text] : pathFacts(row.entry)) put(title, text);
  for (const BufferAdvice& advice : row.buffers) put("buffer", sentence(advice));
}

ExitCode show(const CommandOptions& options, const std::vector<PathDocumentRow>& rows) {
  if (options.json) return writeOut(toJson(rows, wallNow()));
  TextBuffer out;
  for (const PathDocumentRow& row : rows) appendPath(out, row);
  return writeOut({out.data(), out.size()});
}

ExitCode showHistory(const CommandOptions& options) {
  const auto entries = readHistory();
  if (!entries) return failPathHistory(entries.error());
  if (options.json) {
    std::vector<PathDocumentRow> rows;
    for (const PathEntry& entry : *entries) rows.push_back({entry});
    return show(options, rows);
  }
  TextBuffer out;
  if (entries->empty()) append(out, "The path history is empty: watch, diagnose and advise fill it.\n");
  if (!entries->empty()) appendPathTable(out, *entries);
  return writeOut({out.data(), out.size()});
}

ExitCode showPath(const CommandOptions& options) {
  const auto wanted = pathsOfName(*options.paths.host);
  if (!wanted) return wanted.error();
  const auto entries = readHistory();
  if (!entries) return failPathHistory(entries.error());
  const SysctlValues settings = sysctlValues(readSysctlFacts());
  std::vector<PathDocumentRow> rows;
  for (const PathEntry& entry : *entries) {
    if (!wanted->contains(entry.path)) continue;
    rows.push_back(
        {entry, {adviseBuffer(entry, Side::sending, settings), adviseBuffer(entry, Side::receiving, settings)}});
  }
  if (rows.empty()) return fail(ExitCode::notThere, unknownPathSentence(*wanted->begin()));
  return show(options, rows);
}

/// The history to write to, where there is one.
Expected<std::optional<PathHistoryStore>, ExitCode> historyToChange() {
  const auto folder = PathHistoryStore::folder();
  if (!folder) return Unexpected<ExitCode>(failPathHistory({PathHistoryErrorKind::noFolder}));
  // What forgets makes no history, and puts none aside.
  auto store = PathHistoryStore::openToRead(*folder);
  if (!store) return Unexpected<ExitCode>(failPathHistory(store.error()));
  return std::move(*store);
}

ExitCode forgetPath(const std::string& text) {
  const auto path = PathPrefix::parse(text);
  if (!path) {
    return fail(ExitCode::wrongUsage,
                "'" + forTerminal(UntrustedText(text)) +
                    "' is not a network; use one that `paths` lists, such as 192.0.2.0/24, or an address in it");
  }
  auto history = historyToChange();
  if (!history) return history.error();
  if (!*history) return fail(ExitCode::notThere, unknownPathSentence(*path));
  const auto wasThere = (*history)->forget(*path);
  if (!wasThere) return failPathHistory(wasThere.error());
  if (!*wasThere) return fail(ExitCode::notThere, unknownPathSentence(*path));
  return writeOut(fmt::format("Deleted the path to {}.\n", path->toString()));
}

ExitCode prunePaths(std::uint32_t days) {
  auto history = historyToChange();
  if (!history) return history.error();
  std::uint64_t forgotten = 0;
  if (*history) {
    const auto pruned = (*history)->forgetUnseenSince(wallNow() - std::chrono::hours(24) * days);
    if (!pruned) return failPathHistory(pruned.error());
    forgotten = *pruned;
  }
  return writeOut(fmt::format("Deleted paths not seen for {} d: {}\n", days, forgotten));
}

}  // namespace

ExitCode pathsCommand(const CommandOptions& options) {
  if (options.paths.forget) return forgetPath(*options.paths.forget);
  if (options.paths.pruneDays) return prunePaths(*options.paths.pruneDays);
  return options.paths.host ? showPath(options) : showHistory(options);
}

}  // namespace tcpscope
