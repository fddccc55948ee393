#include "ui/views/scope/scope_text.h"
#include "ui/plots/packet_lines.h"

#include <fmt/format.h>

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

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
    const QString name = reading.source.title();
    if (!reading.onScreen) {
      sentences << QStringLiteral("%1: not reported.").arg(name);
      continue;
    }
    sentences << QStringLiteral("%1: now %2, between %3 and %4.")
                     .arg(name, reading.source.textOf(reading.onScreen->last),
                          reading.source.textOf(reading.onScreen->smallest),
                          reading.source.textOf(reading.onScreen->largest));
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

std::optional<PacketSamples> packetSamplesOf(const ConnectionDetail& detail) {
  if (!detail.packets) return std::nullopt;
  return PacketSamples(*detail.packets, detail.row.local);
}

std::string samplesCsv(const ConnectionHistory& history, const std::vector<TraceSource>& sources, TimeSpan screen,
                       const PacketSamples* packets) {
  const Nanoseconds averaged = rateSpan(screen);
  std::string csv = "time_s";
  for (const TraceSource& source : sources) csv += "," + forCsv(source.key());
  csv += "\r\n";
  for (const auto& chunk : history.chunks()) {
    for (std::size_t index = 0; index < chunk->size(); ++index) {
      const Moment time = chunk->time(index);
      if (time < screen.from || time > screen.to) continue;
      csv += fmt::format("{:.9f}", time.seconds());
      for (const TraceSource& source : sources) {
        csv += ',';
        if (const auto metric = source.metric()) {
          csv += field(chunk->value(*metric, index));
        } else if (packets != nullptr) {
          const auto value = packets->valueAt(*source.packets(), time, averaged);
          if (value) csv += field(*value);
        }
      }
      csv += "\r\n";
    }
  }
  return csv;
}

QString describePacketClock(const SessionSnapshot& snapshot, const ConnectionDetail& detail) {
  if (!detail.packets) {
    return QStringLiteral(
        "No packets of this connection are captured, so that their traces are unknown: “Capture” starts.");
  }
  const auto& capture = snapshot.capture;
  if (detail.packets->live == 0) return {};
  if (!capture) {
    return QStringLiteral(
        "Times of packets were converted by the clocks of the recording's begin: a step of the wall "
        "clock since then is unknown.");
  }
  return toQString(clockSentence(*capture));
}

}  // namespace tcpscope
