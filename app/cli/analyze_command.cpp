// `analyze`: reads captures and says what their packets show of each connection; of recordings it says what `diagnose`
// does, of a router's list of drops how they are spaced.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/cli/analyze_output.h"
#include "app/cli/capture_faults.h"
#include "app/cli/commands.h"
#include "app/cli/drop_log_output.h"
#include "app/cli/interruption.h"
#include "app/session/capture_files.h"
#include "app/session/marked_capture.h"
#include "app/session/ordered_work.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/filter/capture_filter.h"
#include "core/present/json/capture_document.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

/// How far reading is, on one line of a terminal that is wiped in the end.
class ProgressLine {
public:
  ~ProgressLine() {
    if (m_isShown) fmt::print(stderr, "\r\x1b[K");
  }
  void show(const CaptureProgress& progress) {
    if (!m_isTerminal || monotonicNow() < m_next) return;
    m_next = monotonicNow() + Milliseconds(200);
    const auto bytes = static_cast<double>(progress.bytesRead);
    const std::string share = progress.bytes && *progress.bytes > 0
                                  ? fmt::format(" of {}, {:.0f} %", formatBytes(static_cast<double>(*progress.bytes)),
                                                std::min(100.0, 100.0 * bytes / static_cast<double>(*progress.bytes)))
                                  : std::string();
    fmt::print(stderr, "\r\x1b[K{} packets, {}{}", progress.packets, formatBytes(bytes), share);
    std::fflush(stderr);
    m_isShown = true;
  }

private:
  bool m_isTerminal = isatty(STDERR_FILENO) == 1;
  bool m_isShown = false;
  Moment m_next = monotonicNow() + Milliseconds(500);
};

/// A line for each file that gave nothing; the worst code of them.
ExitCode printRefused(const AnalysedFiles& all) {
  ExitCode code = ExitCode::done;
  for (const CapturedFile& file : all.files) {
    if (file.format != FileFormat::unknown || file.faults.empty()) continue;
    code = std::max(code, failRefused(file.faults.front().first, file.name));
  }
  return code;
}

/// A line for each file of which only the first part was read: a script that keeps the document only sees it.
ExitCode reportDamagedFiles(const AnalysedFiles& all) {
  ExitCode code = ExitCode::done;
  for (const CapturedFile& file : all.files) code = std::max(code, reportEarlyEnd(file));
  return code;
}

ExitCode reportNothingFound(const AnalysedFiles& all) {
  std::uint64_t packets = 0;
  std::size_t connections = 0;
  for (const CapturedFile& file : all.files) packets += file.packets;
  const std::string names =
      all.files.size() == 1 ? nameOf(all.files.front()) : fmt::format("{} files", all.files.size());
  for (const auto& capture : all.captures) connections += capture->analysis.connectionCount();
  if (connections > 0) {
    return fail(
        ExitCode::notThere,
        fmt::format("{} {} {} TCP connection{}, and the filter matches none of them; leave the filter out to list "
                    "them all",
                    names, all.files.size() == 1 ? "holds" : "hold", connections, connections == 1 ? "" : "s"));
  }
  return failWithoutConnections(names, packets);
}

/// The connections that the filter leaves, in the order of the captures.
std::vector<CapturedPick> picked(const AnalysedFiles& all, const ConnectionFilter& filter) {
  std::vector<CapturedPick> picks;
  for (const auto& capture : all.captures) {
    for (std::size_t index = 0; index < capture->analysis.connectionCount(); ++index) {
      const CapturedEnds ends = capture->analysis.ends(index);
      if (!mayMatchCaptured(filter, ends.initiator, ends.responder)) continue;
      picks.push_back({capture.get(), index});
    }
  }
  if (!asksForLimit(filter)) return picks;
  std::erase_if(picks, [&](const CapturedPick& pick) {
    const ConnectionAnalysis analysis = pick.analysis();
    return !matchesCaptured(filter, analysis.flow.initiator, analysis.flow.responder,
                            analysis.directions[analysis.bulk].diagnosis.verdict.limit);
  });
  return picks;
}

ExitCode writeJson(const AnalysedFiles& all, const std::vector<CapturedPick>& picks, CaptureForm form) {
  CaptureDocumentPieces pieces(form);
  OutputParts out;
  out.append(pieces.begin(all.files));
  makeInOrder(
      picks.size(), threadsOfMachine(),
      [&](std::size_t index) {
        const CapturedPick& pick = picks[index];
        return captureConnectionPiece(pick.analysis(), pick.capture->fileOf(pick.index));
      },
      [&](CaptureConnectionPiece&& piece) { return out.append(pieces.connection(piece)); });
  out.append(pieces.end());
  return out.finish();
}

ExitCode writeConnections(const CommandOptions& options, const AnalysedFiles& all,
                          const std::vector<CapturedPick>& picks, bool isFiltered) {
  const AnalysisOptions& wanted = options.analysis;
  const AnalysisForm form{isFiltered, options.useColor(), wanted.details, wanted.order, wanted.top};
  if (!options.json && !wanted.jsonLines) return writeAnalysis(all, picks, form);
  const CaptureForm written = wanted.jsonLines ? CaptureForm::lines : CaptureForm::document;
  return writeJson(all, form.isOrdered() ? firstOf(picks, form.orderOrWorst(), form.top) : picks, written);
}

/// Of the one connection that is left.
ExitCode savePackets(const CommandOptions& options, const AnalysedFiles& all, const std::vector<CapturedPick>& picks) {
  const std::string& output = options.analysis.savePackets;
  if (picks.size() != 1) {
    return fail(ExitCode::wrongUsage,
                fmt::format("--save-packets takes one connection, and the filter leaves {}; name its ports, as in "
                            "'-- sport = :40000 and dport = :443'",
                            picks.size()));
  }
  const CapturedPick& pick = picks.front();
  const std::size_t file = pick.capture->fileOf(pick.index);
  const std::string& name = options.analysis.captures[file];
  if (name == "-" || pick.capture->parts.size() > 1) {
    return fail(ExitCode::wrongUsage,
                "--save-packets reads the capture once more: it takes one file, and not standard input");
  }
  ConnectionInFile connection = ConnectionInFile::of(name, pick.capture->analysis, pick.index);
  connection.insideTunnels = options.analysis.insideTunnels;
  const Interruption interruption;
  const auto goOn = [&](std::uint64_t) { return !interruption.happened(); };
  const ConnectionPackets read = readConnection(connection, all.files[file].droppedByStatistics > 0, goOn);
  if (!read.captured) return fail(ExitCode::badInput, fmt::format("'{}' was changed meanwhile", forTerminal(name)));
  const auto saved = saveMarked(connection, *read.captured, output, goOn);
  if (!saved) return fail(saved.error());
  fmt::print(stderr, "{}: {}, {} with comments{}\n", forTerminal(output), countOfPackets(saved->packets),
             saved->comments,
             saved->leftOut > 0 ? fmt::format("; {} of another kind of interface left out", saved->leftOut) : "");
  return ExitCode::done;
}

AnalysedFiles readAll(const CommandOptions& options) {
  const Interruption interruption;
  ProgressLine line;
  CaptureFileSettings settings;
  settings.insideTunnels = options.analysis.insideTunnels;
  if (options.analysis.memoryBytes) settings.mostBytes = static_cast<std::size_t>(*options.analysis.memoryBytes);
  settings.wakeDescriptor = interruption.wakeDescriptor();
  settings.goOn = [&](const CaptureProgress& progress) {
    line.show(progress);
    return !interruption.happened();
  };
  return analyseFiles(options.analysis.captures, settings);
}

ExitCode analyzeRecordings(const CommandOptions& options, const ConnectionFilter& filter,
                           const std::vector<std::string>& recordings) {
  ExitCode worst = ExitCode::done;
  for (const std::string& recording : recordings) {
    if (recordings.size() > 1) fmt::print("{}\n", forTerminal(UntrustedText(recording)));
    std::fflush(stdout);
    worst = std::max(worst, diagnoseRecording(options, filter, recording));
  }
  return worst;
}

ExitCode analyzeCaptures(const CommandOptions& options, const ConnectionFilter& filter) {
  if (const auto field = fieldOutsideCaptures(filter)) {
    return fail(ExitCode::wrongUsage,
                fmt::format("a capture has no field '{}'; filter it by src, dst, sport, dport and limit", *field));
  }
  const AnalysedFiles all = readAll(options);
  const ExitCode refused = printRefused(all);
  if (all.isRefused()) return refused;
  const std::vector<CapturedPick> picks = picked(all, filter);
  const ExitCode written = writeConnections(options, all, picks, filter.root() != nullptr);
  if (written != ExitCode::done) return written;
  std::fflush(stdout);
  if (!options.analysis.savePackets.empty() && !picks.empty()) {
    if (const ExitCode saved = savePackets(options, all, picks); saved != ExitCode::done) return saved;
  }
  const ExitCode damaged = std::max(reportDamagedFiles(all), refused);
  if (damaged != ExitCode::done || !picks.empty()) return damaged;
  return reportNothingFound(all);
}

}  // namespace

ExitCode analyzeCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const std::vector<std::string>& files = options.analysis.captures;
  if (std::any_of(files.begin(), files.end(), isDropLog)) {
    if (files.size() == 1 && filter->root() == nullptr && !options.analysis.isAsked()) {
      return analyzeDropLog(options, files.front());
    }
    return fail(ExitCode::wrongUsage, "analyze a list of drops alone, with --rtt and --json only");
  }
  if (options.analysis.rtt) {
    return fail(ExitCode::wrongUsage, "--rtt is for a list of drops; captures and recordings show their RTTs");
  }
  std::vector<std::string> recordings;
  CommandOptions rest = options;
  rest.analysis.captures.clear();
  for (const std::string& name : options.analysis.captures)
    (isRecording(name) ? recordings : rest.analysis.captures).push_back(name);
  if (recordings.empty()) return analyzeCaptures(options, *filter);
  if (options.analysis.isAsked()) {
    return fail(ExitCode::wrongUsage,
                "--top, --by, --details, --json-lines and --save-packets are for captures; analyze recordings without "
                "them");
  }
  if (options.json && options.analysis.captures.size() > 1) {
    return fail(ExitCode::wrongUsage, "with --json, analyze one recording at a time, without captures");
  }
  const ExitCode printed = analyzeRecordings(options, *filter, recordings);
  return rest.analysis.captures.empty() ? printed : std::max(printed, analyzeCaptures(rest, *filter));
}

}  // namespace tcpscope
