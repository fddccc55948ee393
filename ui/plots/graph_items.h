// THE list of what packet graphs show: what each thing is called, what it means, its colour, symbol and line. Legend,
// table, plot and tool tip all follow it.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>
#include <span>

#include "core/diagnosis/evidence/finding.h"
#include "core/model/metric.h"
#include "core/wire/series/packet_points.h"
#include "ui/plots/pixel_canvas.h"
#include "ui/theme/theme.h"

namespace tcpscope {

enum class PacketGraph : std::uint8_t { sequence, stevens, rtt, rates, inFlight, window };
inline constexpr std::size_t kPacketGraphCount = 6;

enum class GraphItem : std::uint8_t {
  // Lines and bars.
  segment,
  acknowledgment,
  windowEdge,
  sack,
  rtt,
  throughput,
  goodput,
  inFlight,
  window,
  unscaledLimit,
  // Lines of what the kernel says, where it does.
  kernelCongestionWindow,
  kernelInFlight,
  kernelRtt,
  // Symbols.
  timeout,
  fast,
  recovery,
  tailLossProbe,
  spurious,
  handshakeAgain,
  unknownCause,
  outOfOrder,
  filledHole,
  probe,
  stray,
  duplicateAck,
  zeroWindow,
};
inline constexpr std::size_t kGraphItemCount = static_cast<std::size_t>(GraphItem::zeroWindow) + 1;

struct GraphItemRow {
  GraphItem item;
  const char* title;
  const char* explanation;
  /// Number of the colour in the theme.
  int color;
  /// MarkerShape::none for a line.
  MarkerShape marker;
  Qt::PenStyle line;
};

const GraphItemRow& graphItemRow(GraphItem item);
QString itemTitle(GraphItem item);
QString itemExplanation(GraphItem item);
QRgb itemColor(GraphItem item, Appearance appearance);
/// The symbol or a piece of the line as they are drawn.
QIcon itemSample(GraphItem item, Appearance appearance);

/// Where the kernel's line comes from, at the end of the connection that is `side` of the direction; nothing for what
/// the packets say, and for what that end's kernel does not know.
std::optional<Metric> kernelMetric(GraphItem item, Side side);
bool isKernelItem(GraphItem item);

/// What a segment is drawn as beside its bar; nothing for new data in its place, SYN, FIN and RST.
std::optional<GraphItem> itemOf(const SegmentPoint& segment, RetransmissionCause cause);

/// What a graph shows, in the order of its legend.
std::span<const GraphItem> itemsOf(PacketGraph graph);

struct PacketGraphRow {
  /// For settings.
  const char* key;
  const char* title;
  const char* explanation;
};
const PacketGraphRow& packetGraphRow(PacketGraph graph);

}  // namespace tcpscope
