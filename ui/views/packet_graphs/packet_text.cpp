#include "ui/views/packet_graphs/packet_text.h"

#include <QLocale>
#include <QStringList>
#include <cmath>

#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/plots/packet_scene.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

MetricUnit unitOfItem(GraphItem item) {
  switch (item) {
    case GraphItem::rtt:
    case GraphItem::kernelRtt:
      return MetricUnit::microseconds;
    case GraphItem::throughput:
    case GraphItem::goodput:
      return MetricUnit::bitsPerSecond;
    default:
      return MetricUnit::bytes;
  }
}

bool isCounted(GraphItem item) {
  return graphItemRow(item).marker != MarkerShape::none || item == GraphItem::segment ||
         item == GraphItem::acknowledgment || item == GraphItem::sack;
}

QString windowSentence(const DirectionSeries& series) {
  if (series.acknowledgments().empty()) return {};
  if (!series.windowScale())
    return QStringLiteral("The SYNs were not captured: the window scale is unknown, so windows are not drawn.");
  if (*series.windowScale() == 0)
    return QStringLiteral("The window field is the window itself (window scale 0): it cannot exceed 64 KiB.");
  return QStringLiteral("The window field is multiplied by %1 (window scale %2).")
      .arg(countText(std::uint64_t{1} << *series.windowScale()))
      .arg(int{*series.windowScale()});
}

}  // namespace

QString readingText(const ItemReading& reading) {
  if (isCounted(reading.item)) return countText(reading.count);
  const MetricUnit unit = unitOfItem(reading.item);
  if (reading.mean) return valueLabel(unit, *reading.mean);
  if (!reading.range) return QStringLiteral("–");
  if (reading.range->from == reading.range->to) return valueLabel(unit, reading.range->from);
  return QStringLiteral("%1 … %2").arg(valueLabel(unit, reading.range->from), valueLabel(unit, reading.range->to));
}

QString offsetText(const DirectionSeries& series, StreamOffset offset) {
  return QLocale(QLocale::English)
      .toString(static_cast<qlonglong>(static_cast<std::int64_t>(offset - series.origin())));
}

QString directionText(const CapturedPackets& packets, std::size_t direction) {
  const ConnectionSummary& flow = packets.analysis.flow;
  const Endpoint& from = direction == 0 ? flow.initiator : flow.responder;
  const Endpoint& to = direction == 0 ? flow.responder : flow.initiator;
  return QStringLiteral("%1 → %2, %3")
      .arg(toQString(from.toString()), toQString(to.toString()),
           toQString(formatBytes(static_cast<double>(flow.directions[direction].sent.unique.value()))));
}

QString describeGraph(PacketGraph graph, const DirectionSeries& series, const std::vector<ItemReading>& readings,
                      Nanoseconds screen, std::optional<Nanoseconds> averagedOver) {
  QStringList sentences;
  sentences << QStringLiteral("%1 on the screen.").arg(toQString(formatTime(toSeconds(screen))));
  QStringList parts;
  for (const ItemReading& reading : readings) {
    const bool isSaid = isCounted(reading.item) ? reading.count > 0 : reading.mean || reading.range;
    if (isSaid) parts << QStringLiteral("%1: %2").arg(itemTitle(reading.item), readingText(reading));
  }
  if (parts.isEmpty()) {
    sentences << QStringLiteral("It contains no packets of this direction.");
  } else {
    sentences << parts.join(QStringLiteral("; ")) + QLatin1Char('.');
  }
  if (averagedOver)
    sentences << QStringLiteral("The lines are averages over %1.").arg(toQString(formatTime(toSeconds(*averagedOver))));
  if (graph == PacketGraph::window || graph == PacketGraph::inFlight || graph == PacketGraph::sequence)
    sentences << windowSentence(series);
  sentences.removeAll(QString());
  return sentences.join(QLatin1Char(' '));
}

QString describePacket(const PointedPacket& packet, const DirectionSeries& series, Moment start) {
  QStringList lines;
  const auto heading = [&](std::uint32_t position, Moment time) {
    // Numbers begin with 1, as in every program that shows captures.
    lines << QStringLiteral("Packet %1 at %2 s")
                 .arg(countText(std::uint64_t{position} + 1))
                 .arg(toSeconds(time - start), 0, 'f', 6);
  };
  if (packet.segment) {
    const SegmentPoint& segment = *packet.segment;
    heading(segment.packet, segment.time);
    const auto item = itemOf(segment, packet.cause);
    QString what = item ? itemTitle(*item) : QStringLiteral("New data");
    const std::uint64_t payload = bytesOf(segment).payload;
    if (!item && segment.flags.fin() && payload == 0) what = QStringLiteral("FIN");
    if (segment.flags.syn()) what = QStringLiteral("SYN");
    if (segment.flags.rst()) what = QStringLiteral("RST");
    lines << (payload == 0 ? QStringLiteral("%1: no data, at %2").arg(what, offsetText(series, segment.begin))
                           : QStringLiteral("%1: %2 bytes from %3")
                                 .arg(what, countText(payload), offsetText(series, segment.begin)));
    if (segment.inFlightBytes != kUnknownFlight)
      lines << QStringLiteral("In flight: %1").arg(valueLabel(MetricUnit::bytes, segment.inFlightBytes));
  }
  if (packet.acknowledgment) {
    const AcknowledgmentPoint& point = *packet.acknowledgment;
    heading(point.packet, point.time);
    lines << (point.isDuplicate ? QStringLiteral("Duplicate acknowledgment of %1")
                                : QStringLiteral("Acknowledges up to %1"))
                 .arg(offsetText(series, point.number));
    if (!std::isnan(point.rttUs))
      lines << QStringLiteral("RTT: %1").arg(valueLabel(MetricUnit::microseconds, double{point.rttUs}));
    if (point.hasWindow && series.windowScale())
      lines << QStringLiteral("Window: %1")
                   .arg(valueLabel(MetricUnit::bytes, static_cast<double>(series.windowBytes(point.window))));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace tcpscope
