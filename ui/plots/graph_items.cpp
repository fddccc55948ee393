#include "ui/plots/graph_items.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

namespace tcpscope {

namespace {

// In the order of the enumeration.
constexpr std::array<GraphItemRow, kGraphItemCount> kItems = {{
    {GraphItem::segment, QT_TRANSLATE_NOOP("GraphItems", "Segment"),
     QT_TRANSLATE_NOOP("GraphItems", "New data: a bar from its first to its last sequence number."), 0,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::acknowledgment, QT_TRANSLATE_NOOP("GraphItems", "Acknowledged up to"),
     QT_TRANSLATE_NOOP("GraphItems", "What the receiver has acknowledged. What lies above it is in flight."), 2,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::windowEdge, QT_TRANSLATE_NOOP("GraphItems", "Window's edge"),
     QT_TRANSLATE_NOOP("GraphItems",
                       "As far as the receiver allows: acknowledgment plus window. A sender that touches it waits for "
                       "the receiver."),
     4, MarkerShape::none, Qt::DashLine},
    {GraphItem::sack, QT_TRANSLATE_NOOP("GraphItems", "SACK"),
     QT_TRANSLATE_NOOP("GraphItems",
                       "Data beyond a hole that the receiver has just reported to hold; what it repeats is not drawn "
                       "again."),
     3, MarkerShape::none, Qt::SolidLine},
    {GraphItem::roundTrip, QT_TRANSLATE_NOOP("GraphItems", "Round trip"),
     QT_TRANSLATE_NOOP("GraphItems",
                       "From data at the capture point to its acknowledgment, one dot each; retransmitted data aside, "
                       "which would be ambiguous."),
     0, MarkerShape::none, Qt::DotLine},
    {GraphItem::throughput, QT_TRANSLATE_NOOP("GraphItems", "Throughput"),
     QT_TRANSLATE_NOOP("GraphItems", "Payload on the wire, retransmissions included."), 1, MarkerShape::none,
     Qt::DashLine},
    {GraphItem::goodput, QT_TRANSLATE_NOOP("GraphItems", "Goodput"),
     QT_TRANSLATE_NOOP("GraphItems", "Payload that had not been seen before: what the transfer gets out of it."), 0,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::inFlight, QT_TRANSLATE_NOOP("GraphItems", "In flight"),
     QT_TRANSLATE_NOOP("GraphItems", "Sent and neither acknowledged nor SACKed, as seen at the capture point."), 0,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::window, QT_TRANSLATE_NOOP("GraphItems", "Receiver's window"),
     QT_TRANSLATE_NOOP("GraphItems", "What the receiver advertises. In flight cannot exceed it."), 4, MarkerShape::none,
     Qt::DashLine},
    {GraphItem::unscaledLimit, QT_TRANSLATE_NOOP("GraphItems", "64 KiB, the most without scaling"),
     QT_TRANSLATE_NOOP("GraphItems",
                       "The largest window that the header can hold. Larger ones need the window scale option in both "
                       "SYNs."),
     6, MarkerShape::none, Qt::DotLine},
    {GraphItem::kernelCongestionWindow, QT_TRANSLATE_NOOP("GraphItems", "Kernel: congestion window"),
     QT_TRANSLATE_NOOP("GraphItems",
                       "What the sender's kernel lets be in flight (cwnd times its segment size). In flight that stays "
                       "below both windows waits for the program."),
     2, MarkerShape::none, Qt::DashDotLine},
    {GraphItem::kernelInFlight, QT_TRANSLATE_NOOP("GraphItems", "Kernel: in flight"),
     QT_TRANSLATE_NOOP(
         "GraphItems",
         "What the sender's kernel counts as in flight. It differs from the packets' where segments count "
         "as lost or wait below TCP."),
     3, MarkerShape::none, Qt::DotLine},
    {GraphItem::kernelRoundTrip, QT_TRANSLATE_NOOP("GraphItems", "Kernel: smoothed round trip"),
     QT_TRANSLATE_NOOP("GraphItems", "The mean that this end's kernel keeps of its own samples."), 2, MarkerShape::none,
     Qt::DashDotLine},
    {GraphItem::timeout, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: timeout"),
     QT_TRANSLATE_NOOP("GraphItems", "No acknowledgment came for as long as the sender waits (RTO)."), 7,
     MarkerShape::square, Qt::NoPen},
    {GraphItem::fast, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: fast"),
     QT_TRANSLATE_NOOP("GraphItems", "The one segment that duplicate acknowledgments or SACK showed to be missing."), 1,
     MarkerShape::triangleUp, Qt::NoPen},
    {GraphItem::recovery, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: recovery"),
     QT_TRANSLATE_NOOP("GraphItems", "One of several that one loss recovery sent again."), 1, MarkerShape::diamond,
     Qt::NoPen},
    {GraphItem::tailLossProbe, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: tail loss probe"),
     QT_TRANSLATE_NOOP("GraphItems", "The last segment once more after silence, to learn what became of the tail."), 4,
     MarkerShape::star, Qt::NoPen},
    {GraphItem::spurious, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: not needed"),
     QT_TRANSLATE_NOOP("GraphItems", "The receiver said afterwards that it had the segment."), 3,
     MarkerShape::hollowDiamond, Qt::NoPen},
    {GraphItem::handshakeAgain, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: handshake"),
     QT_TRANSLATE_NOOP("GraphItems", "A SYN or its answer once more."), 7, MarkerShape::triangleDown, Qt::NoPen},
    {GraphItem::unknownCause, QT_TRANSLATE_NOOP("GraphItems", "Retransmission: cause unknown"),
     QT_TRANSLATE_NOOP("GraphItems", "Sent again; the wire does not tell why."), 6, MarkerShape::cross, Qt::NoPen},
    {GraphItem::outOfOrder, QT_TRANSLATE_NOOP("GraphItems", "Out of order"),
     QT_TRANSLATE_NOOP("GraphItems", "New data that others overtook on the way."), 5, MarkerShape::plus, Qt::NoPen},
    {GraphItem::filledHole, QT_TRANSLATE_NOOP("GraphItems", "Filled hole"),
     QT_TRANSLATE_NOOP("GraphItems", "Sent again because the first was lost before the capture point."), 5,
     MarkerShape::disc, Qt::NoPen},
    {GraphItem::probe, QT_TRANSLATE_NOOP("GraphItems", "Probe or keep-alive"),
     QT_TRANSLATE_NOOP("GraphItems", "Asks whether the window is open again, or whether the peer is still there."), 6,
     MarkerShape::ring, Qt::NoPen},
    {GraphItem::stray, QT_TRANSLATE_NOOP("GraphItems", "Stray"),
     QT_TRANSLATE_NOOP("GraphItems", "Payload that cannot belong to the stream."), 7, MarkerShape::cross, Qt::NoPen},
    {GraphItem::duplicateAck, QT_TRANSLATE_NOOP("GraphItems", "Duplicate acknowledgment"),
     QT_TRANSLATE_NOOP("GraphItems", "Repeats itself: something arrived that was not the next."), 2, MarkerShape::dash,
     Qt::NoPen},
    {GraphItem::zeroWindow, QT_TRANSLATE_NOOP("GraphItems", "Zero window"),
     QT_TRANSLATE_NOOP("GraphItems", "The receiver's buffer is full: its program does not read."), 7,
     MarkerShape::hollowSquare, Qt::NoPen},
}};

using enum GraphItem;
constexpr std::array kSequenceItems = {segment,    acknowledgment, windowEdge, sack,           timeout,      fast,
                                       recovery,   tailLossProbe,  spurious,   handshakeAgain, unknownCause, outOfOrder,
                                       filledHole, probe,          stray,      duplicateAck,   zeroWindow};
constexpr std::array kStevensItems = {segment,        timeout,      fast,       recovery,   tailLossProbe, spurious,
                                      handshakeAgain, unknownCause, outOfOrder, filledHole, probe};
constexpr std::array kRoundTripItems = {roundTrip, kernelRoundTrip, timeout,  fast,
                                        recovery,  tailLossProbe,   spurious, filledHole};
constexpr std::array kRateItems = {throughput, goodput, timeout, fast, recovery, tailLossProbe, spurious, filledHole};
constexpr std::array kFlightItems = {GraphItem::inFlight,
                                     GraphItem::window,
                                     kernelCongestionWindow,
                                     kernelInFlight,
                                     timeout,
                                     fast,
                                     recovery,
                                     tailLossProbe,
                                     spurious,
                                     filledHole,
                                     zeroWindow};
constexpr std::array kWindowItems = {GraphItem::window, unscaledLimit, zeroWindow};

constexpr std::array<PacketGraphRow, kPacketGraphCount> kGraphs = {{
    {"sequence", QT_TRANSLATE_NOOP("PacketGraphs", "Time–sequence"),
     QT_TRANSLATE_NOOP("PacketGraphs", "Every segment, what is acknowledged, and how far the window reaches.")},
    {"stevens", QT_TRANSLATE_NOOP("PacketGraphs", "Time–sequence, segments only"),
     QT_TRANSLATE_NOOP("PacketGraphs", "One dot a segment at its first sequence number, after Stevens.")},
    {"round_trip", QT_TRANSLATE_NOOP("PacketGraphs", "Round trips"),
     QT_TRANSLATE_NOOP("PacketGraphs", "From data to its acknowledgment, over time.")},
    {"rates", QT_TRANSLATE_NOOP("PacketGraphs", "Throughput and goodput"),
     QT_TRANSLATE_NOOP("PacketGraphs", "Payload over time, with and without what was sent again.")},
    {"in_flight", QT_TRANSLATE_NOOP("PacketGraphs", "In flight and window"),
     QT_TRANSLATE_NOOP("PacketGraphs", "What is on its way, against what the receiver allows.")},
    {"window", QT_TRANSLATE_NOOP("PacketGraphs", "Advertised window"),
     QT_TRANSLATE_NOOP("PacketGraphs", "How the receiver's window opens and closes, against what no scaling allows.")},
}};

constexpr int kSampleWidth = 28;
constexpr int kSampleHeight = 12;

}  // namespace

const GraphItemRow& graphItemRow(GraphItem item) {
  return kItems.at(static_cast<std::size_t>(item));
}

QString itemTitle(GraphItem item) {
  return QCoreApplication::translate("GraphItems", graphItemRow(item).title);
}

QString itemExplanation(GraphItem item) {
  return QCoreApplication::translate("GraphItems", graphItemRow(item).explanation);
}

QRgb itemColor(GraphItem item, Appearance appearance) {
  return traceColor(graphItemRow(item).color, appearance).rgba();
}

QIcon itemSample(GraphItem item, Appearance appearance) {
  const GraphItemRow& row = graphItemRow(item);
  // On its own ground: a selected row has the colour of the first trace.
  QPixmap sample(kSampleWidth, kSampleHeight);
  sample.fill(themePalette(appearance).color(QPalette::Base));
  QPainter painter(&sample);
  if (row.marker == MarkerShape::none) {
    QPen pen(QColor(itemColor(item, appearance)), 2);
    pen.setStyle(row.line);
    painter.setPen(pen);
    painter.drawLine(1, kSampleHeight / 2, kSampleWidth - 1, kSampleHeight / 2);
  } else {
    PixelCanvas canvas({kSampleWidth, kSampleHeight}, 1);
    canvas.marker(row.marker, kSampleWidth / 2, kSampleHeight / 2, itemColor(item, appearance));
    painter.drawImage(0, 0, canvas.image());
  }
  painter.end();
  QIcon icon(sample);
  icon.addPixmap(sample, QIcon::Selected);
  return icon;
}

std::optional<Metric> kernelMetric(GraphItem item, Side side) {
  const bool sends = side == Side::sending;
  switch (item) {
    case GraphItem::kernelCongestionWindow:
      return sends ? std::optional(Metric::congestionWindowBytes) : std::nullopt;
    case GraphItem::kernelInFlight:
      return sends ? std::optional(Metric::inFlightBytes) : std::nullopt;
    case GraphItem::kernelRoundTrip:
      return sends ? Metric::rtt : Metric::rcvRtt;
    default:
      return std::nullopt;
  }
}

bool isKernelItem(GraphItem item) {
  return kernelMetric(item, Side::sending).has_value();
}

std::optional<GraphItem> itemOf(const SegmentPoint& segment, RetransmissionCause cause) {
  switch (segment.kind) {
    case SegmentKind::none:
    case SegmentKind::newData:
      return std::nullopt;
    case SegmentKind::outOfOrder:
      return GraphItem::outOfOrder;
    case SegmentKind::filledHole:
      return GraphItem::filledHole;
    case SegmentKind::keepAlive:
    case SegmentKind::zeroWindowProbe:
      return GraphItem::probe;
    case SegmentKind::stray:
      return GraphItem::stray;
    case SegmentKind::retransmission:
      break;
  }
  switch (cause) {
    case RetransmissionCause::timeout:
      return GraphItem::timeout;
    case RetransmissionCause::fast:
      return GraphItem::fast;
    case RetransmissionCause::tailLossProbe:
      return GraphItem::tailLossProbe;
    case RetransmissionCause::recovery:
      return GraphItem::recovery;
    case RetransmissionCause::spurious:
      return GraphItem::spurious;
    case RetransmissionCause::syn:
      return GraphItem::handshakeAgain;
    case RetransmissionCause::unknown:
      break;
  }
  return GraphItem::unknownCause;
}

std::span<const GraphItem> itemsOf(PacketGraph graph) {
  switch (graph) {
    case PacketGraph::sequence:
      return kSequenceItems;
    case PacketGraph::stevens:
      return kStevensItems;
    case PacketGraph::roundTrip:
      return kRoundTripItems;
    case PacketGraph::rates:
      return kRateItems;
    case PacketGraph::inFlight:
      return kFlightItems;
    case PacketGraph::window:
      return kWindowItems;
  }
  return {};
}

const PacketGraphRow& packetGraphRow(PacketGraph graph) {
  return kGraphs.at(static_cast<std::size_t>(graph));
}

}  // namespace tcpscope
