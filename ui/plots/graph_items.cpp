#include "ui/plots/graph_items.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

namespace tcpscope {

namespace {

// In the order of the enumeration.
constexpr std::array<GraphItemRow, kGraphItemCount> kItems = {{
    {GraphItem::segment, "Segment", "New data: a bar from its first to its last sequence number.", 0, MarkerShape::none,
     Qt::SolidLine},
    {GraphItem::acknowledgment, "Acknowledged up to",
     "The receiver's acknowledgment number. Data above it is in flight.", 2, MarkerShape::none, Qt::SolidLine},
    {GraphItem::windowEdge, "Right edge of the window",
     "Acknowledgment number plus receive window. A sender that reaches it is receive-window limited.", 4,
     MarkerShape::none, Qt::DashLine},
    {GraphItem::sack, "SACK", "Data beyond a gap that the receiver newly SACKed; repeated blocks are not drawn.", 3,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::rtt, "RTT",
     "Time from data at the capture point to its acknowledgment, one dot per sample; retransmitted data is left out "
     "(Karn's algorithm).",
     0, MarkerShape::none, Qt::DotLine},
    {GraphItem::throughput, "Throughput", "Payload on the wire, retransmissions included.", 1, MarkerShape::none,
     Qt::DashLine},
    {GraphItem::goodput, "Goodput", "Payload without retransmissions: what the application receives.", 0,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::inFlight, "In flight", "Sent and neither acknowledged nor SACKed, as seen at the capture point.", 0,
     MarkerShape::none, Qt::SolidLine},
    {GraphItem::window, "Receive window", "The window that the receiver advertises. Data in flight cannot exceed it.",
     4, MarkerShape::none, Qt::DashLine},
    {GraphItem::unscaledLimit, "64 KiB, the maximum without scaling",
     "The largest window that the header can hold. Larger ones need the window scale option in both "
     "SYNs.",
     6, MarkerShape::none, Qt::DotLine},
    {GraphItem::kernelCongestionWindow, "Kernel: congestion window",
     "cwnd (bytes) of the sender's kernel: cwnd times send MSS. Data in flight below both windows means "
     "application-limited.",
     2, MarkerShape::none, Qt::DashDotLine},
    {GraphItem::kernelInFlight, "Kernel: in flight",
     "Data in flight as counted by the sender's kernel. It differs from the capture where segments count as lost or "
     "wait below TCP.",
     3, MarkerShape::none, Qt::DotLine},
    {GraphItem::kernelRtt, "Kernel: RTT",
     "The RTT that the local kernel keeps: smoothed, of the data that it sends; where it receives, its estimate from "
     "arriving data, which includes pauses of the sender.",
     2, MarkerShape::none, Qt::DashDotLine},
    {GraphItem::timeout, "Retransmission: RTO", "Retransmission timeout: no acknowledgment arrived in time.", 7,
     MarkerShape::square, Qt::NoPen},
    {GraphItem::fast, "Fast retransmission",
     "Alone in its loss recovery: duplicate acknowledgments or SACK showed the segment to be missing.", 1,
     MarkerShape::triangleUp, Qt::NoPen},
    {GraphItem::recovery, "Retransmission: recovery",
     "One of several segments of a loss recovery, which duplicate acknowledgments or SACK began.", 1,
     MarkerShape::diamond, Qt::NoPen},
    {GraphItem::tailLossProbe, "Retransmission: tail loss probe",
     "Tail loss probe (RFC 8985): the last segment retransmitted to elicit an acknowledgment.", 4, MarkerShape::star,
     Qt::NoPen},
    {GraphItem::spurious, "Spurious retransmission", "The receiver already had the segment (DSACK, RFC 2883).", 3,
     MarkerShape::hollowDiamond, Qt::NoPen},
    {GraphItem::handshakeAgain, "Retransmission: handshake", "A retransmitted SYN or SYN-ACK.", 7,
     MarkerShape::triangleDown, Qt::NoPen},
    {GraphItem::unknownCause, "Retransmission: cause unknown", "Retransmitted; the capture does not show why.", 6,
     MarkerShape::cross, Qt::NoPen},
    {GraphItem::outOfOrder, "Out of order", "New data that was reordered on the path.", 5, MarkerShape::plus,
     Qt::NoPen},
    {GraphItem::filledHole, "Gap filled (upstream loss)",
     "Retransmitted because the original was lost before the capture point.", 5, MarkerShape::disc, Qt::NoPen},
    {GraphItem::probe, "Window probe or keep-alive", "Probes a zero window or an idle peer.", 6, MarkerShape::ring,
     Qt::NoPen},
    {GraphItem::stray, "Stray", "Payload outside the window, which cannot belong to the stream.", 7, MarkerShape::cross,
     Qt::NoPen},
    {GraphItem::duplicateAck, "Duplicate acknowledgment",
     "The acknowledgment number repeats: a segment arrived out of order.", 2, MarkerShape::dash, Qt::NoPen},
    {GraphItem::zeroWindow, "Zero window", "The receive buffer is full: the receiving application does not read.", 7,
     MarkerShape::hollowSquare, Qt::NoPen},
}};

using enum GraphItem;
constexpr std::array kSequenceItems = {segment,    acknowledgment, windowEdge, sack,           timeout,      fast,
                                       recovery,   tailLossProbe,  spurious,   handshakeAgain, unknownCause, outOfOrder,
                                       filledHole, probe,          stray,      duplicateAck,   zeroWindow};
constexpr std::array kStevensItems = {segment,        timeout,      fast,       recovery,   tailLossProbe, spurious,
                                      handshakeAgain, unknownCause, outOfOrder, filledHole, probe};
constexpr std::array kRttItems = {rtt, kernelRtt, timeout, fast, recovery, tailLossProbe, spurious, filledHole};
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
    {"sequence", "Time–sequence", "Every segment, the acknowledgments and the right edge of the window."},
    {"stevens", "Time–sequence, segments only", "One dot per segment at its first sequence number, after Stevens."},
    {"round_trip", "RTT samples", "Time from data to its acknowledgment."},
    {"rates", "Throughput and goodput", "Payload over time, with and without retransmissions."},
    {"in_flight", "In flight and window", "Data in flight against the receive window."},
    {"window", "Advertised window",
     "How the receive window opens and closes, against the 64 KiB limit without scaling."},
}};

constexpr int kSampleWidth = 28;
constexpr int kSampleHeight = 12;

}  // namespace

const GraphItemRow& graphItemRow(GraphItem item) {
  return kItems.at(static_cast<std::size_t>(item));
}

QString itemTitle(GraphItem item) {
  return QString::fromUtf8(graphItemRow(item).title);
}

QString itemExplanation(GraphItem item) {
  return QString::fromUtf8(graphItemRow(item).explanation);
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
    case GraphItem::kernelRtt:
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
    case PacketGraph::rtt:
      return kRttItems;
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
