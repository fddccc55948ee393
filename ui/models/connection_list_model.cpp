#include "ui/models/connection_list_model.h"

#include <utility>

#include "ui/models/place_name.h"
#include "ui/text/plain_text.h"
#include "ui/text/wall_text.h"

namespace tcpscope {

void ConnectionListModel::setSnapshot(const SnapshotPointer& snapshot) {
  ConnectionRows rows(snapshot);
  const int before = m_rows.count();
  const int now = rows.count();
  // Rows come and go at the end, whichever connection it was: the content of each row is announced by dataChanged.
  if (now > before) {
    beginInsertRows({}, before, now - 1);
    m_rows = std::move(rows);
    endInsertRows();
  } else if (now < before) {
    beginRemoveRows({}, now, before - 1);
    m_rows = std::move(rows);
    endRemoveRows();
  } else {
    m_rows = std::move(rows);
  }
  if (now > 0) emit dataChanged(index(0, 0), index(now - 1, kConnectionColumnCount - 1));
}

void ConnectionListModel::hideVerdicts(bool hidden) {
  if (std::exchange(m_hidesVerdicts, hidden) == hidden || m_rows.count() == 0) return;
  emit dataChanged(index(0, 0), index(m_rows.count() - 1, kConnectionColumnCount - 1));
}

std::optional<ConnectionRow> ConnectionListModel::shownRow(int row) const {
  std::optional<ConnectionRow> shown = m_rows.connection(row);
  if (!shown || !m_hidesVerdicts) return shown;
  shown->limit = Limit::unknown;
  shown->cause = Cause::unknown;
  shown->limits = {};
  return shown;
}

int ConnectionListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows.count();
}

int ConnectionListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kConnectionColumnCount;
}

QString ConnectionListModel::groupLabel(int row, const RowGroup& group) const {
  const SnapshotPointer& snapshot = m_rows.snapshot();
  const auto first = m_rows.connection(row + 1);
  if (snapshot->grouping == Grouping::place && first) return placeName(first->id.place, snapshot->places);
  return group.label.empty() ? QStringLiteral("Owner unknown") : plainText(group.label);
}

QString ConnectionListModel::headingText(int row) const {
  const RowGroup* group = m_rows.heading(row);
  if (group == nullptr) return {};
  const QString label = groupLabel(row, *group);
  return group->size == 1 ? QStringLiteral("%1 — 1 connection").arg(label)
                          : QStringLiteral("%1 — %2 connections").arg(label).arg(group->size);
}

QVariant ConnectionListModel::headingData(int row, int column, int role) const {
  if (column == 0 && (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)) return headingText(row);
  return {};
}

QVariant ConnectionListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::optional<ConnectionRow> row = shownRow(index.row());
  if (!row) return headingData(index.row(), index.column(), role);
  const ConnectionColumnRow& column = connectionColumn(index.column());
  if (m_hidesVerdicts && column.column == ConnectionColumn::verdict && role != Qt::TextAlignmentRole) {
    if (role == Qt::DisplayRole) return QStringLiteral("?");
    const bool isText = role == Qt::ToolTipRole || role == Qt::AccessibleTextRole;
    return isText ? QVariant(QStringLiteral("Hidden until the answer of the demo is shown")) : QVariant();
  }
  const Owner* owner = m_rows.snapshot()->owner(*row);
  const bool isPlace = column.column == ConnectionColumn::place;
  if (isPlace && (role == Qt::DisplayRole || role == Qt::AccessibleTextRole))
    return placeName(row->id.place, m_rows.snapshot()->places);
  if (isPlace && role == Qt::ToolTipRole)
    return toolTipText(placeDescription(row->id.place, m_rows.snapshot()->places));
  if (column.column == ConnectionColumn::began && role != Qt::TextAlignmentRole) {
    // The day stands in the tool tip.
    const QString began = wallText(m_rows.snapshot()->clock, row->firstSeen, WallPrecision::milliseconds);
    if (role == Qt::DisplayRole) return began.section(QLatin1Char(' '), 1);
    return role == Qt::ToolTipRole || role == Qt::AccessibleTextRole ? QVariant(began) : QVariant();
  }
  switch (role) {
    case Qt::DisplayRole:
      return connectionText(column.column, *row, owner);
    case Qt::ToolTipRole:
      return toolTipText(connectionToolTip(column.column, *row, owner));
    case Qt::AccessibleTextRole:
      return connectionToolTip(column.column, *row, owner);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(column.rightAligned ? Qt::AlignRight : Qt::AlignLeft) |
                                 Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant ConnectionListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kConnectionColumnCount) return {};
  const ConnectionColumnRow& column = connectionColumn(section);
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromUtf8(column.title);
    case Qt::ToolTipRole:
      return toolTipText(QString::fromUtf8(column.hint));
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(column.rightAligned ? Qt::AlignRight : Qt::AlignLeft) |
                                 Qt::AlignVCenter);
    default:
      return {};
  }
}

Qt::ItemFlags ConnectionListModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  if (!m_rows.connection(index.row())) return Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

std::optional<ConnectionId> ConnectionListModel::connectionAt(int row) const {
  const std::optional<ConnectionRow> connection = m_rows.connection(row);
  if (!connection) return std::nullopt;
  return connection->id;
}

}  // namespace tcpscope
