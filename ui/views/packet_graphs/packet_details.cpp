#include "ui/views/packet_graphs/packet_details.h"

#include <QStringList>
#include <cmath>

#include "core/present/text/loss_text.h"
#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/plots/packet_screen.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"
#include "ui/views/packet_graphs/packet_text.h"

namespace tcpscope {

namespace {

/// Between the kernel's report of a packet and its capture lies less.
constexpr Nanoseconds kReportSlack = std::chrono::milliseconds(100);

QString durationText(Nanoseconds duration) {
  return toQString(formatTime(toSeconds(duration)));
}

QString capitalized(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString sequenceText(const DirectionSeries& series, const SegmentPoint& segment) {
  const QString first = offsetText(series, segment.begin);
  const QString raw = QString::number(onTheWire(segment.begin));
  const std::uint64_t payload = bytesOf(segment).payload;
  if (payload == 0) return QStringLiteral("%1, no data (raw %2)").arg(first, raw);
  return QStringLiteral("%1 – %2, length %3 (raw %4)")
      .arg(first, offsetText(series, segment.end()), countText(payload), raw);
}

/// The window field as its sender means it; nothing where the scale is unknown.
std::optional<QString> windowText(const DirectionSeries& acknowledged, std::uint16_t window, bool isSyn) {
  if (isSyn) return valueLabel(MetricUnit::bytes, window) + QStringLiteral(", never scaled in a SYN");
  if (!acknowledged.windowScale()) return QStringLiteral("%1, scale unknown").arg(countText(window));
  return valueLabel(MetricUnit::bytes, static_cast<double>(acknowledged.windowBytes(window)));
}

/// What the packet newly reports; repeated blocks are not kept.
QString sackText(const DirectionSeries& acknowledged, Moment time) {
  const auto& sacks = acknowledged.sacks();
  QStringList blocks;
  for (std::size_t index = firstFrom(sacks, time); index < sacks.size() && sacks[index].time == time; ++index)
    blocks << QStringLiteral("%1 – %2").arg(offsetText(acknowledged, sacks[index].begin),
                                            offsetText(acknowledged, sacks[index].end));
  return blocks.join(QStringLiteral("; "));
}

/// The newest acknowledgment at or before this packet, which repeats it where it says nothing new.
const AcknowledgmentPoint* acknowledgmentUpTo(const DirectionSeries& acknowledged, std::uint32_t number) {
  const auto& points = acknowledged.acknowledgments();
  const std::size_t behind =
      countBefore(points, [number](const AcknowledgmentPoint& point) { return point.packet <= number; });
  return behind == 0 ? nullptr : &points[behind - 1];
}

const Retransmission* recordOf(const CapturedPackets& packets, const WholePacket& packet) {
  const ClockPair& clock = packets.series.clock();
  for (const Retransmission& one : packets.analysis.flow.directions.at(packet.sender).retransmissions) {
    if (one.begin == packet.segment->begin && clock.monotonic + (one.time - clock.wall) == packet.time) return &one;
  }
  return nullptr;
}

/// "frame 1,100, 212 ms before".
QString beforeText(const CapturedPackets& packets, const WholePacket& packet, const Retransmission& record) {
  if (!record.originalWasSeen) return QStringLiteral("lost before the capture point");
  if (!record.before) return {};
  const ClockPair& clock = packets.series.clock();
  const Moment sent = clock.monotonic + (record.before->time - clock.wall);
  QString ago = QStringLiteral("%1 before").arg(durationText(packet.time - sent));
  const auto& segments = packets.sent(packet.sender).segments();
  for (std::size_t index = firstFrom(segments, sent); index < segments.size() && segments[index].time == sent;
       ++index) {
    if (segments[index].begin <= packet.segment->begin && segments[index].end() > packet.segment->begin)
      return QStringLiteral("frame %1, %2").arg(countText(std::uint64_t{segments[index].packet} + 1), ago);
  }
  return ago;
}

Nanoseconds timeApart(Moment one, Moment other) {
  return one > other ? one - other : other - one;
}

/// May the report be of this segment, by what it says?
bool fits(const ReportedLoss& loss, const SegmentPoint& segment) {
  const bool isRetransmitted = segment.kind == SegmentKind::retransmission || segment.kind == SegmentKind::filledHole;
  if (loss.kind == HistoryEventKind::retransmission && !isRetransmitted) return false;
  return loss.report.sequence - onTheWire(segment.begin) < std::max(segment.bytes, 1U);
}

/// Another transmission of the same data is nearer to the report.
bool isOfAnother(const ReportedLoss& loss, const DirectionSeries& own, const WholePacket& packet) {
  const Nanoseconds away = timeApart(loss.time, packet.time);
  const auto& segments = own.segments();
  for (std::size_t index = firstFrom(segments, loss.time - away);
       index < segments.size() && segments[index].time <= loss.time + away; ++index) {
    const SegmentPoint& other = segments[index];
    if (other.packet != packet.number && fits(loss, other) && timeApart(loss.time, other.time) < away) return true;
  }
  return false;
}

/// What this host reported of the packet: that it dropped it, or why the data was lost before.
QString reportText(const DirectionSeries& own, const WholePacket& packet, const HostReports& reports) {
  const bool isFromPeer = packet.sender != reports.sentByHost;
  const ReportedLoss* nearest = nullptr;
  Nanoseconds least = kReportSlack + Nanoseconds(1);
  for (const ReportedLoss& loss : reports.losses) {
    const Nanoseconds away = timeApart(loss.time, packet.time);
    if (away >= least || loss.isFromPeer != isFromPeer || !fits(loss, *packet.segment)) continue;
    if (isOfAnother(loss, own, packet)) continue;
    least = away;
    nearest = &loss;
  }
  return nearest == nullptr ? QString() : capitalized(toQString(causeText(nearest->report)));
}

QString kindOf(const std::optional<SegmentPoint>& segment, RetransmissionCause cause,
               const std::optional<AcknowledgmentPoint>& acknowledgment) {
  if (segment) {
    if (segment->kind == SegmentKind::keepAlive) return QStringLiteral("Keep-alive");
    if (segment->kind == SegmentKind::zeroWindowProbe) return QStringLiteral("Zero-window probe");
    if (const auto item = itemOf(*segment, cause)) return itemTitle(*item);
    if (segment->flags.rst()) return QStringLiteral("RST");
    if (segment->flags.syn()) return segment->flags.ack() ? QStringLiteral("SYN, ACK") : QStringLiteral("SYN");
    return segment->flags.fin() ? QStringLiteral("FIN") : QStringLiteral("New data");
  }
  if (acknowledgment && acknowledgment->isZeroWindow()) return QStringLiteral("Zero window");
  if (acknowledgment && acknowledgment->isDuplicate) return QStringLiteral("Duplicate acknowledgment");
  return QStringLiteral("Acknowledgment");
}

QString causeText(const WholePacket& packet) {
  if (packet.segment) {
    if (packet.segment->kind == SegmentKind::keepAlive) return QStringLiteral("Checks whether an idle peer is alive.");
    if (packet.segment->kind == SegmentKind::zeroWindowProbe)
      return QStringLiteral("Asks the receiver whether its window is open again.");
    if (const auto item = itemOf(*packet.segment, packet.cause)) return itemExplanation(*item);
  }
  if (!packet.acknowledgment) return {};
  if (packet.acknowledgment->isZeroWindow()) return itemExplanation(GraphItem::zeroWindow);
  return packet.acknowledgment->isDuplicate ? itemExplanation(GraphItem::duplicateAck) : QString();
}

class Facts {
public:
  void add(const QString& title, const QString& text) {
    if (!text.isEmpty()) m_facts.emplace_back(title, text);
  }
  std::vector<PacketFact> take() { return std::move(m_facts); }

private:
  std::vector<PacketFact> m_facts;
};

void addSegment(const CapturedPackets& packets, const WholePacket& packet, Facts& facts) {
  const DirectionSeries& own = packets.sent(packet.sender);
  const SegmentPoint& segment = *packet.segment;
  facts.add(QStringLiteral("Sequence"), sequenceText(own, segment));
  if (segment.inFlightBytes != kUnknownFlight)
    facts.add(QStringLiteral("In flight"), valueLabel(MetricUnit::bytes, segment.inFlightBytes));
  if (segment.kind != SegmentKind::retransmission && segment.kind != SegmentKind::filledHole) return;
  if (const Retransmission* record = recordOf(packets, packet)) {
    facts.add(QStringLiteral("Transmitted before"), beforeText(packets, packet, *record));
    if (record->isSpurious) {
      facts.add(QStringLiteral("Needed"),
                QStringLiteral("No: the receiver already had the data (D-SACK or timestamps)."));
    }
  }
}

void addAcknowledgment(const CapturedPackets& packets, const WholePacket& packet, Facts& facts) {
  const DirectionSeries& other = packets.sent(1 - packet.sender);
  const TcpFlags flags = packet.segment ? packet.segment->flags : packet.acknowledgment->flags;
  const AcknowledgmentPoint* const newest =
      flags.ack() && !flags.rst() ? acknowledgmentUpTo(other, packet.number) : nullptr;
  if (newest != nullptr) {
    facts.add(
        QStringLiteral("Acknowledges"),
        QStringLiteral("up to %1 (raw %2)").arg(offsetText(other, newest->number)).arg(onTheWire(newest->number)));
  }
  const std::uint16_t window = packet.segment ? packet.segment->window : packet.acknowledgment->window;
  if (const auto text = windowText(other, window, flags.syn())) facts.add(QStringLiteral("Window"), *text);
  if (!packet.acknowledgment) return;
  facts.add(QStringLiteral("SACK, new blocks"), sackText(other, packet.time));
  if (!std::isnan(packet.acknowledgment->rttUs))
    facts.add(QStringLiteral("RTT"), valueLabel(MetricUnit::microseconds, double{packet.acknowledgment->rttUs}));
}

}  // namespace

std::optional<WholePacket> packetOf(const CapturedPackets& packets, std::uint32_t number) {
  WholePacket whole;
  whole.number = number;
  for (const std::size_t direction : {std::size_t{0}, std::size_t{1}}) {
    const PointedPacket packet = packetNumbered(packets.sent(direction), number);
    if (packet.isEmpty()) continue;
    whole.time = packet.time();
    whole.sender = packet.segment ? direction : 1 - direction;
    if (packet.segment) whole.cause = packet.cause;
    if (packet.segment) whole.segment = packet.segment;
    if (packet.acknowledgment) whole.acknowledgment = packet.acknowledgment;
  }
  if (!whole.segment && !whole.acknowledgment) return std::nullopt;
  return whole;
}

QString packetKind(const PointedPacket& packet) {
  return kindOf(packet.segment, packet.cause, packet.acknowledgment);
}

QString packetKind(const WholePacket& packet) {
  return kindOf(packet.segment, packet.cause, packet.acknowledgment);
}

QString flagNames(TcpFlags flags) {
  constexpr std::array kNames = {"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"};
  QStringList names;
  for (std::size_t bit = 0; bit < kNames.size(); ++bit) {
    if ((flags.bits >> bit & 1U) != 0) names << QLatin1String(kNames.at(bit));
  }
  return names.isEmpty() ? QStringLiteral("none") : names.join(QStringLiteral(", "));
}

std::vector<PacketFact> packetFacts(const CapturedPackets& packets, const WholePacket& packet, Moment start,
                                    const HostReports& reports) {
  const ConnectionSummary& flow = packets.analysis.flow;
  const Endpoint& from = packet.sender == 0 ? flow.initiator : flow.responder;
  const Endpoint& to = packet.sender == 0 ? flow.responder : flow.initiator;
  Facts facts;
  // Numbers begin with 1, as in every program that shows captures.
  facts.add(QStringLiteral("Frame"), countText(std::uint64_t{packet.number} + 1));
  facts.add(QStringLiteral("Packet"), packetKind(packet));
  if (packet.segment) facts.add(QStringLiteral("This host"), reportText(packets.sent(packet.sender), packet, reports));
  facts.add(QStringLiteral("Cause"), causeText(packet));
  facts.add(QStringLiteral("Time"), QStringLiteral("%1 s").arg(toSeconds(packet.time - start), 0, 'f', 6));
  facts.add(QStringLiteral("Wall clock"), wallText(packets.series.clock(), packet.time, WallPrecision::microseconds));
  facts.add(QStringLiteral("From"), toQString(from.toString()));
  facts.add(QStringLiteral("To"), toQString(to.toString()));
  facts.add(QStringLiteral("Flags"), flagNames(packet.segment ? packet.segment->flags : packet.acknowledgment->flags));
  if (packet.segment) addSegment(packets, packet, facts);
  addAcknowledgment(packets, packet, facts);
  return facts.take();
}

}  // namespace tcpscope
