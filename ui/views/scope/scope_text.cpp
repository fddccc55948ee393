#include "ui/views/scope/scope_text.h"

#include <fmt/format.h>

#include <QStringList>
#include <cmath>

#include "core/base/escape.h"
#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

QString valueOf(Metric metric, double value) {
  return toQString(formatMetric(metric, value));
}

std::string field(double value) {
  if (std::isnan(value)) return {};
  if (std::isinf(value)) return "unlimited";
  return fmt::format("{}", value);
}

}  // namespace

QString describeScreen(const std::vector<TraceReading>& readings, Nanoseconds screen) {
  QStringList sentences;
  sentences << QStringLiteral("%1 on the screen.").arg(toQString(formatTime(toSeconds(screen))));
  for (const TraceReading& reading : readings) {
    const QString name = toQString(metricRow(reading.metric).title);
    if (!reading.onScreen) {
      sentences << QStringLiteral("%1: not reported.").arg(name);
      continue;
    }
    sentences << QStringLiteral("%1: now %2, between %3 and %4.")
                     .arg(name, valueOf(reading.metric, reading.onScreen->last),
                          valueOf(reading.metric, reading.onScreen->smallest),
                          valueOf(reading.metric, reading.onScreen->largest));
  }
  return sentences.join(QLatin1Char(' '));
}

QString describeCursors(const CursorPair& cursors) {
  const auto difference = cursors.difference();
  if (!difference) {
    if (cursors.at(Cursor::a)) return QStringLiteral("Cursor A is set; B sets the other");
    if (cursors.at(Cursor::b)) return QStringLiteral("Cursor B is set; A sets the other");
    return {};
  }
  QString result = QStringLiteral("Δt = %1").arg(toQString(formatTime(toSeconds(*difference))));
  if (const auto frequency = cursors.frequencyHz())
    result += QStringLiteral("   1/Δt = %1 Hz").arg(*frequency, 0, 'g', 3);
  return result;
}

std::string samplesCsv(const ConnectionHistory& history, const std::vector<Metric>& metrics, TimeSpan screen) {
  std::string csv = "time_s";
  for (const Metric metric : metrics) csv += "," + forCsv(metricRow(metric).key);
  csv += "\r\n";
  for (const auto& chunk : history.chunks()) {
    for (std::size_t index = 0; index < chunk->size(); ++index) {
      const Moment time = chunk->time(index);
      if (time < screen.from || time > screen.to) continue;
      csv += fmt::format("{:.9f}", time.seconds());
      for (const Metric metric : metrics) csv += "," + field(chunk->value(metric, index));
      csv += "\r\n";
    }
  }
  return csv;
}

}  // namespace tcpscope
