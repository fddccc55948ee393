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

std::string csvHead(const std::vector<TraceSource>& sources) {
  std::string head = "time_s";
  for (const TraceSource& source : sources) head += "," + forCsv(source.key());
  return head + "\r\n";
}

/// `before` stands in front of each line.
void appendSamples(std::string& csv, const std::string& before, const ConnectionHistory& history,
                   const std::vector<TraceSource>& sources, TimeSpan screen,
                   const std::optional<PacketSamples>& packets) {
  const Nanoseconds averaged = rateSpan(screen);
  for (const auto& chunk : history.chunks()) {
    for (std::size_t index = 0; index < chunk->size(); ++index) {
      const Moment time = chunk->time(index);
      if (time < screen.from || time > screen.to) continue;
      csv += before + fmt::format("{:.9f}", time.seconds());
      for (const TraceSource& source : sources) {
        csv += ',';
        if (const auto metric = source.metric()) {
          csv += field(chunk->value(*metric, index));
        } else if (packets) {
          const auto value = packets->valueAt(*source.packets(), time, averaged);
          if (value) csv += field(*value);
        }
      }
      csv += "\r\n";
    }
  }
}

}  // namespace

QString describeScreen(const std::vector<TraceReading>& readings, Nanoseconds screen) {
  QStringList sentences;
  sentences << QStringLiteral("%1 on the screen.").arg(toQString(formatTime(toSeconds(screen))));
  for (const TraceReading& reading : readings) {
    const QString name = reading.connection.isEmpty()
                             ? reading.source.title()
                             : QStringLiteral("%1, %2").arg(reading.connection, reading.source.title());
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
                       const std::optional<PacketSamples>& packets) {
  std::string csv = csvHead(sources);
  appendSamples(csv, {}, history, sources, screen, packets);
  return csv;
}

std::string samplesCsv(const std::vector<std::shared_ptr<const ConnectionDetail>>& details,
                       const std::vector<TraceSource>& sources, TimeSpan screen) {
  std::string csv = "local,remote," + csvHead(sources);
  for (const auto& detail : details) {
    const std::string ends = forCsv(detail->row.local.toString()) + "," + forCsv(detail->row.remote.toString()) + ",";
    appendSamples(csv, ends, detail->history, sources, screen, packetSamplesOf(*detail));
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
