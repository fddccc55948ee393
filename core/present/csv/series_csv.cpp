#include "core/present/csv/series_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/escape.h"
#include "core/model/downsample.h"
#include "core/present/json/json_values.h"

namespace tcpscope {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::string figureText(Metric metric, double value) {
  if (std::isnan(value)) return {};
  if (std::isinf(value)) return "unlimited";
  const std::string_view name = metricValueName(metric, value);
  return name.empty() ? fmt::format("{}", value) : forCsv(name);
}

std::string lineBegin(const ConnectionDetail& detail, Nanoseconds sinceBegin, WallTime time) {
  return fmt::format("{:.6f},{},{},{},{},{}", toSeconds(sinceBegin), json::timeText(time),
                     forCsv(detail.socket.id.toString()), forCsv(detail.socket.local.toString()),
                     forCsv(detail.socket.remote.toString()),
                     detail.owner ? forCsv(detail.owner->processName) : std::string());
}

bool isMeanOfStep(Metric metric) {
  return metric == Metric::sendGoodput || metric == Metric::receiveGoodput ||
         metric == Metric::retransmissionsPerSecond;
}

std::optional<double> valueOfStep(const ConnectionHistory& history, Metric metric, Moment moment, Nanoseconds step) {
  if (!isMeanOfStep(metric)) return history.valueAt(metric, moment);
  const auto span = summarize(history, metric, moment - step + Nanoseconds(1), moment);
  return span ? std::optional(span->mean) : std::nullopt;
}

}  // namespace

std::string seriesCsvHeader(std::span<const Metric> metrics) {
  std::string line = "time_s,time,id,local,remote,process";
  for (const Metric metric : metrics) line += fmt::format(",{}", metricRow(metric).key);
  return line.append(kLineEnd);
}

std::string seriesCsvRow(const ConnectionDetail& detail, Nanoseconds sinceBegin, WallTime time,
                         std::span<const Metric> metrics) {
  std::string line = lineBegin(detail, sinceBegin, time);
  const MetricSource source{detail.socket, &detail.interval};
  for (const Metric metric : metrics) {
    const std::optional<double> value = metricRow(metric).read(source);
    line += ',';
    if (value) line += figureText(metric, *value);
  }
  return line.append(kLineEnd);
}

std::string seriesCsvRowAt(const ConnectionDetail& detail, Moment moment, Nanoseconds step, Nanoseconds sinceBegin,
                           WallTime time, std::span<const Metric> metrics) {
  std::string line = lineBegin(detail, sinceBegin, time);
  for (const Metric metric : metrics) {
    const std::optional<double> value = valueOfStep(detail.history, metric, moment, step);
    line += ',';
    if (value) line += figureText(metric, *value);
  }
  return line.append(kLineEnd);
}

}  // namespace tcpscope
