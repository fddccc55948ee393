#include "ui/views/packet_graphs/packet_list_model.h"

#include <array>

#include "ui/plots/axis_tickers.h"
#include "ui/text/plain_text.h"
#include "ui/views/packet_graphs/packet_details.h"
#include "ui/views/packet_graphs/packet_text.h"

namespace tcpscope {

namespace {

/// A table has no more rows.
constexpr std::size_t kMostRows = std::numeric_limits<int>::max();

/// The symbol of the graph; nothing for what has none.
std::optional<GraphItem> symbolOf(const PointedPacket& packet) {
  if (packet.segment) return itemOf(*packet.segment, packet.cause);
  if (packet.acknowledgment->isZeroWindow()) return GraphItem::zeroWindow;
  return packet.acknowledgment->isDuplicate ? std::optional(GraphItem::duplicateAck) : std::nullopt;
}

}  // namespace

const DirectionSeries& PacketListModel::series() const {
  return m_packets->sent(m_direction);
}

void PacketListModel::setPackets(std::shared_ptr<const CapturedPackets> packets, std::size_t direction, Moment start) {
  if (packets == m_packets && direction == m_direction && start == m_start) return;
  beginResetModel();
  m_packets = std::move(packets);
  m_direction = direction;
  m_start = start;
  m_rows = m_packets ? static_cast<int>(std::min(PacketOrder(series()).size(), kMostRows)) : 0;
  endResetModel();
}

void PacketListModel::setAppearance(Appearance appearance) {
  if (appearance == m_appearance) return;
  m_appearance = appearance;
  if (m_rows > 0) emit dataChanged(index(0, packet), index(m_rows - 1, packet), {Qt::DecorationRole});
}

std::optional<std::uint32_t> PacketListModel::numberAt(int row) const {
  if (row < 0 || row >= m_rows) return std::nullopt;
  return PacketOrder(series()).numberAt(static_cast<std::size_t>(row));
}

std::optional<int> PacketListModel::rowOf(std::uint32_t number) const {
  if (m_rows == 0) return std::nullopt;
  const std::size_t row = PacketOrder(series()).rowOf(number);
  if (row >= static_cast<std::size_t>(m_rows) || numberAt(static_cast<int>(row)) != number) return std::nullopt;
  return static_cast<int>(row);
}

QVariant PacketListModel::data(const QModelIndex& index, int role) const {
  const auto number = index.isValid() ? numberAt(index.row()) : std::nullopt;
  if (!number) return {};
  if (role == Qt::DisplayRole) return text(*number, index.column());
  if (role == Qt::TextAlignmentRole && index.column() != packet) return int{Qt::AlignRight | Qt::AlignVCenter};
  if (role == Qt::DecorationRole && index.column() == packet) {
    const auto symbol = symbolOf(packetNumbered(series(), *number));
    return symbol ? QVariant(itemSample(*symbol, m_appearance)) : QVariant();
  }
  return {};
}

QString PacketListModel::text(std::uint32_t number, int column) const {
  const PointedPacket one = packetNumbered(series(), number);
  switch (column) {
    case frame:
      return countText(std::uint64_t{number} + 1);
    case time:
      return QString::number(toSeconds(one.time() - m_start), 'f', 6);
    case packet:
      return packetKind(one);
    case sequence:
      return offsetText(series(), one.segment ? one.segment->begin : one.acknowledgment->number);
    case length:
      return one.segment ? countText(bytesOf(*one.segment).payload) : QStringLiteral("–");
    default:
      if (!one.acknowledgment || !one.acknowledgment->hasWindow || !series().windowScale()) return QStringLiteral("–");
      return valueLabel(MetricUnit::bytes, static_cast<double>(series().windowBytes(one.acknowledgment->window)));
  }
}

QVariant PacketListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == packet ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == sequence)
    return toolTipText(
        QStringLiteral("Of a segment its first sequence number, of an acknowledgment the number up to "
                       "which it acknowledges; from the first number of this direction."));
  if (role != Qt::DisplayRole) return {};
  const std::array<QString, kColumns> titles = {QStringLiteral("Frame"),  QStringLiteral("Time"),
                                                QStringLiteral("Packet"), QStringLiteral("Sequence"),
                                                QStringLiteral("Length"), QStringLiteral("Window")};
  return titles.at(static_cast<std::size_t>(section));
}

}  // namespace tcpscope
