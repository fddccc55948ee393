#include "ui/widgets/steady_list.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

/// Rows as high as their texts in the columns' widths: the tree itself asks as if there were room for one line.
class WrappingDelegate final : public QStyledItemDelegate {
public:
  explicit WrappingDelegate(QTreeWidget& tree) : QStyledItemDelegate(&tree), m_tree(tree) {}

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool isAsWideAsItsText = m_tree.header()->sectionResizeMode(index.column()) == QHeaderView::ResizeToContents;
    if (isAsWideAsItsText) return QStyledItemDelegate::sizeHint(option, index);
    QStyleOptionViewItem inColumn = option;
    inColumn.rect.setSize({m_tree.columnWidth(index.column()), 1});
    return QStyledItemDelegate::sizeHint(inColumn, index);
  }

private:
  QTreeWidget& m_tree;
};

}  // namespace

SteadyList::SteadyList(const QStringList& columns, const QString& accessibleName, QWidget* parent)
    : QTreeWidget(parent) {
  setHeaderLabels(columns);
  setRootIsDecorated(false);
  setUniformRowHeights(false);
  setWordWrap(true);
  setItemDelegate(new WrappingDelegate(*this));
  connect(header(), &QHeaderView::sectionResized, this, [this] { scheduleDelayedItemsLayout(); });
  setAccessibleName(accessibleName);
}

void SteadyList::fill(QTreeWidgetItem& item, const SteadyRow& row) const {
  for (int column = 0; column < row.cells.size(); ++column) {
    if (item.text(column) != row.cells[column]) item.setText(column, row.cells[column]);
    const QString toolTip = toolTipText(row.toolTip.isEmpty() ? row.cells[column] : row.toolTip);
    if (item.toolTip(column) != toolTip) item.setToolTip(column, toolTip);
  }
  item.setForeground(0, row.color.isValid() ? QBrush(row.color) : QBrush());
  if (m_rightColumn >= 0) item.setTextAlignment(m_rightColumn, Qt::AlignRight | Qt::AlignVCenter);
}

void SteadyList::setRows(std::vector<SteadyRow> rows) {
  if (rows == m_rows) return;
  const QString current = currentItem() == nullptr ? QString() : currentItem()->text(0);
  const int scrolledTo = verticalScrollBar()->value();
  m_rows = std::move(rows);
  const auto count = static_cast<int>(m_rows.size());
  while (topLevelItemCount() > count) delete takeTopLevelItem(topLevelItemCount() - 1);
  while (topLevelItemCount() < count) addTopLevelItem(new QTreeWidgetItem);
  QTreeWidgetItem* kept = nullptr;
  for (int row = 0; row < count; ++row) {
    fill(*topLevelItem(row), m_rows[static_cast<std::size_t>(row)]);
    if (!current.isEmpty() && topLevelItem(row)->text(0) == current) kept = topLevelItem(row);
  }
  if (kept != currentItem()) {
    // Without scrolling to it: the list stays where the user reads.
    const bool scrolls = hasAutoScroll();
    setAutoScroll(false);
    if (kept == nullptr) clearSelection();
    setCurrentItem(kept);
    setAutoScroll(scrolls);
  }
  verticalScrollBar()->setValue(scrolledTo);
}

}  // namespace tcpscope
