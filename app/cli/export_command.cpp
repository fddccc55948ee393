// `export`: metrics over time into a CSV file.
#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "app/cli/commands.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/escape.h"
#include "core/present/csv/series_csv.h"

namespace tcpscope {

namespace {

/// The file, or standard output for "-".
class CsvTarget {
public:
  explicit CsvTarget(const std::string& path) : m_path(path) {
    if (path == "-") return;
    m_file = OwnedDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!m_file) m_errorNumber = errno;
  }

  ExitCode write(std::string_view text) {
    if (m_path == "-") return writeOut(text);
    while (!text.empty() && m_errorNumber == 0) {
      const ssize_t taken = ::write(m_file.get(), text.data(), text.size());
      if (taken < 0 && errno != EINTR) m_errorNumber = errno;
      if (taken > 0) text.remove_prefix(static_cast<std::size_t>(taken));
    }
    if (m_errorNumber == 0) return ExitCode::done;
    return fail(SystemError{SystemAttempt::writeOutput, m_errorNumber, UntrustedText(m_path)});
  }

private:
  std::string m_path;
  OwnedDescriptor m_file;
  int m_errorNumber = 0;
};

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

ExitCode writeSeries(CsvTarget& target, const NextPoll& nextPoll, const std::vector<Metric>& metrics,
                     std::optional<double> seconds) {
  if (const ExitCode code = target.write(seriesCsvHeader(metrics)); code != ExitCode::done) return code;
  std::optional<Moment> begin;
  while (const std::optional<Poll> poll = nextPoll()) {
    const Moment now = poll->snapshot->time;
    if (!begin) begin = now;
    std::string rows;
    for (const auto& detail : poll->details()) rows += seriesCsvRow(*detail, now - *begin, poll->time, metrics);
    if (const ExitCode code = target.write(rows); code != ExitCode::done) return code;
    if (seconds && toSeconds(now - *begin) >= *seconds) break;
  }
  return ExitCode::done;
}

}  // namespace

ExitCode exportCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  const auto metrics = wantedMetrics(options.series);
  if (!metrics) return metrics.error();
  CsvTarget target(options.output);
  return pollConnections(options, pollingSettings(options, *filter), [&](const NextPoll& nextPoll) {
    return writeSeries(target, nextPoll, *metrics, options.recordSeconds);
  });
}

}  // namespace tcpscope
