// `export`: metrics over time into a CSV file.
#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/output_file.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "app/store/write_all.h"
#include "core/base/escape.h"
#include "core/present/csv/series_csv.h"
#include "core/session/anonymizer.h"

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

}  // namespace

ExitCode exportCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const auto metrics = wantedMetrics(options.series);
  if (!metrics) return metrics.error();
  auto output = OutputFile::create(options.output, SystemAttempt::writeOutput);
  if (!output) return fail(output.error());
  return pollConnections(options, pollingSettings(options, *filter),
                         [&](const NextPoll& nextPoll) { return writeSeries(*output, nextPoll, *metrics, options); });
}

}  // namespace tcpscope
