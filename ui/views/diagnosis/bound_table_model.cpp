#include "ui/views/diagnosis/bound_table_model.h"

#include <array>

#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

QString rateText(const Bound& bound) {
  if (!hasRate(bound)) return QStringLiteral("–");
  const QString rate = toQString(formatRate(*bound.rate));
  // Nothing lost yet: the rate is the least that the bound can be.
  return bound.whyNot == WhyNoBound::noLossSeen ? QStringLiteral("≥ ") + rate : rate;
}

QString appliesText(const Bound& bound) {
  return bound.applies ? QStringLiteral("applies") : toQString(noteOf(bound));
}

}  // namespace

void BoundTableModel::setBounds(std::vector<Bound> bounds) {
  if (bounds.size() == m_bounds.size()) {
    m_bounds = std::move(bounds);
    if (!m_bounds.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  m_bounds = std::move(bounds);
  endResetModel();
}

int BoundTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_bounds.size());
}

int BoundTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant BoundTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Bound& bound = m_bounds[static_cast<std::size_t>(index.row())];
  if (role == Qt::TextAlignmentRole && index.column() == rate) return int{Qt::AlignRight | Qt::AlignVCenter};
  if (role == Qt::ToolTipRole) return data(index, Qt::DisplayRole);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case model:
      return toQString(title(bound.model));
    case rate:
      return rateText(bound);
    case applies:
      return appliesText(bound);
    default:
      return {};
  }
}

QVariant BoundTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  const std::array<QString, kColumns> titles = {QStringLiteral("Bound"), QStringLiteral("Rate"),
                                                QStringLiteral("Applies")};
  return titles.at(static_cast<std::size_t>(section));
}

}  // namespace tcpscope
