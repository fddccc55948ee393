#include "ui/views/packet_graphs/packet_table_model.h"

#include <array>

#include "ui/text/plain_text.h"
#include "ui/views/packet_graphs/packet_text.h"

namespace tcpscope {

void PacketTableModel::setRows(std::vector<Row> rows, Appearance appearance) {
  const bool isOtherSet = rows.size() != m_rows.size() || appearance != m_appearance;
  if (isOtherSet) beginResetModel();
  m_rows = std::move(rows);
  m_appearance = appearance;
  if (isOtherSet) return endResetModel();
  if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int PacketTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PacketTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant PacketTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == Qt::DecorationRole && index.column() == what) return itemSample(row.inAll.item, m_appearance);
  if (role == Qt::ToolTipRole) return toolTipText(itemExplanation(row.inAll.item));
  if (role == Qt::TextAlignmentRole && index.column() != what) return int{Qt::AlignRight | Qt::AlignVCenter};
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case what:
      return itemTitle(row.inAll.item);
    case onScreen:
      return readingText(row.onScreen);
    case inAll:
      return readingText(row.inAll);
    default:
      return row.betweenCursors ? readingText(*row.betweenCursors) : QStringLiteral("–");
  }
}

QVariant PacketTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  const std::array<QString, kColumns> titles = {QStringLiteral("Item"), QStringLiteral("On screen"),
                                                QStringLiteral("Total"), QStringLiteral("Between A and B")};
  return titles.at(static_cast<std::size_t>(section));
}

}  // namespace tcpscope
