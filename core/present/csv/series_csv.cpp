#include "core/present/csv/series_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/escape.h"
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

}  // namespace

std::string seriesCsvHeader(std::span<const Metric> metrics) {
  std::string line = "time_s,time,id,local,remote,process";
  for (const Metric metric : metrics) line += fmt::format(",{}", metricRow(metric).key);
  return line.append(kLineEnd);
}

std::string seriesCsvRow(const ConnectionDetail& detail, Nanoseconds sinceBegin, WallTime time,
                         std::span<const Metric> metrics) {
  std::string line = fmt::format("{:.6f},{},{},{},{},{}", toSeconds(sinceBegin), json::timeText(time),
                                 forCsv(detail.socket.id.toString()), forCsv(detail.socket.local.toString()),
                                 forCsv(detail.socket.remote.toString()),
                                 detail.owner ? forCsv(detail.owner->processName) : std::string());
  const MetricSource source{detail.socket, &detail.interval};
  for (const Metric metric : metrics) {
    const std::optional<double> value = metricRow(metric).read(source);
    line += ',';
    if (value) line += figureText(metric, *value);
  }
  return line.append(kLineEnd);
}

}  // namespace tcpscope
