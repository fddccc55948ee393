// `export`: metrics over time into a CSV file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/connection_watch.h"
#include "app/cli/interruption.h"
#include "app/cli/output_file.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "app/store/write_all.h"
#include "core/base/escape.h"
#include "core/present/csv/series_csv.h"
#include "core/session/anonymizer.h"
#include "core/session/capture_list.h"

namespace tcpscope {

namespace {

/// A file is whole from its first line on, and takes its name then.
ExitCode writeText(OutputFile& output, std::string_view text) {
  if (const auto written = writeAll(output.descriptor(), text); !written) return fail(output.error(written.error()));
  if (const auto taken = output.takeName(); !taken) return fail(taken.error());
  return ExitCode::done;
}

Expected<std::vector<Metric>, ExitCode> wantedMetrics(const std::vector<std::string>& keys) {
  std::vector<Metric> metrics;
  for (const std::string& key : keys) {
    const MetricRow* row = findMetric(key);
    if (row == nullptr) {
      return Unexpected<ExitCode>(
          fail(ExitCode::wrongUsage,
               fmt::format("unknown metric '{}'; 'tcpscope-cli list --json' shows all keys", forTerminal(key))));
    }
    metrics.push_back(row->metric);
  }
  return metrics;
}

ExitCode writeSeries(OutputFile& output, const NextPoll& nextPoll, const std::vector<Metric>& metrics,
                     const CommandOptions& options) {
  Anonymizer anonymizer;
  if (const ExitCode code = writeText(output, seriesCsvHeader(metrics)); code != ExitCode::done) return code;
  std::optional<Moment> begin;
  while (const std::optional<Poll> poll = nextPoll()) {
    const Moment now = poll->snapshot->time;
    if (!begin) begin = now;
    std::string rows;
    ExitCode code = ExitCode::done;
    const auto writeRows = [&] {
      if (code == ExitCode::done) code = writeText(output, rows);
      rows.clear();
    };
    poll->forEachDetail([&](const std::shared_ptr<const ConnectionDetail>& detail) {
      ConnectionDetail shown = *detail;
      if (options.anonymize) anonymizer.hide(shown);
      rows += seriesCsvRow(shown, now - *begin, poll->time, metrics);
      if (rows.size() >= kBytesWrittenAtOnce) writeRows();
    });
    writeRows();
    if (code != ExitCode::done) return code;
    if (options.recordSeconds && toSeconds(now - *begin) >= *options.recordSeconds) break;
  }
  return ExitCode::done;
}

/// Connections whose packets would take too much memory.
void reportLeftOut(const ConnectionWatch& watch) {
  if (watch.withoutDetails == 0) return;
  fmt::print(stderr, "tcpscope-cli: {} connections of the capture are left out; filter it by src, dst, sport, dport\n",
             watch.withoutDetails);
}

/// A clock that was set while a capture ran makes years of it.
constexpr std::int64_t kMostIntervals = 10'000'000;

/// From the packets: a row for each connection and interval between its first and last packet.
ExitCode writeCapture(OutputFile& output, const ConnectionWatch& watch, const std::vector<Metric>& metrics,
                      const CommandOptions& options) {
  Anonymizer anonymizer;
  std::vector<ConnectionDetail> shown;
  std::optional<Moment> begin;
  std::optional<Moment> end;
  for (const auto& detail : watch.details) {
    const auto first = detail->history.firstTime();
    if (!first) continue;
    begin = begin ? std::min(*begin, detail->window.from) : detail->window.from;
    end = end ? std::max(*end, *detail->history.lastTime()) : *detail->history.lastTime();
    shown.push_back(*detail);
    if (options.anonymize) anonymizer.hide(shown.back());
  }
  if (const ExitCode code = writeText(output, seriesCsvHeader(metrics)); code != ExitCode::done) return code;
  if (!begin) return ExitCode::done;
  const Nanoseconds step = options.interval();
  if ((*end - *begin) / step > kMostIntervals) {
    return fail(ExitCode::wrongUsage,
                fmt::format("the capture spans {:.0f} s; give a longer --interval, at least {:.0f} s",
                            toSeconds(*end - *begin), std::ceil(toSeconds(*end - *begin) / kMostIntervals)));
  }
  const Interruption interruption;
  for (Moment from = *begin; from <= *end && !interruption.happened(); from = from + step) {
    // The last interval ends with the capture.
    const Moment to = std::min(from + step, *end);
    if (options.recordSeconds && toSeconds(to - *begin) > *options.recordSeconds) break;
    std::string rows;
    for (const ConnectionDetail& detail : shown) {
      if (*detail.history.firstTime() > to || *detail.history.lastTime() <= from) continue;
      rows += seriesCsvRowAt(detail, to, to - from, to - *begin, kCaptureClock.wallAt(to), metrics);
    }
    if (const ExitCode code = writeText(output, rows); code != ExitCode::done) return code;
  }
  return ExitCode::done;
}

}  // namespace

ExitCode exportCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const auto metrics = wantedMetrics(options.series);
  if (!metrics) return metrics.error();
  std::optional<Expected<ConnectionWatch, ExitCode>> captured;
  if (options.from && !options.sshAddress()) {
    captured = readCapturedConnections(*filter, *options.from, WatchDepth::histories);
  }
  if (captured && !*captured) return captured->error();
  auto output = OutputFile::create(options.output, SystemAttempt::writeOutput);
  if (!output) return fail(output.error());
  if (captured) {
    reportLeftOut(**captured);
    return writeCapture(*output, **captured, *metrics, options);
  }
  return pollConnections(options, pollingSettings(options, *filter),
                         [&](const NextPoll& nextPoll) { return writeSeries(*output, nextPoll, *metrics, options); });
}

}  // namespace tcpscope
