#include "ui/views/connection_list/connection_delegate.h"

#include <QHeaderView>
#include <QTableView>

#include "ui/theme/theme.h"
#include "ui/views/connection_list/connection_cells.h"

namespace tcpscope {

namespace {

/// Left edge of the first column that is seen, in the viewport: headings run across from there.
int tableLeft(const QWidget* widget) {
  const auto* table = qobject_cast<const QTableView*>(widget);
  return table == nullptr ? 0 : -table->horizontalHeader()->offset();
}

}  // namespace

void ConnectionDelegate::paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QString& text) {
  painter.fillRect(option.rect, option.palette.color(QPalette::Button));
  QFont bold = option.font;
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(option.palette.color(QPalette::ButtonText));
  const int left = tableLeft(option.widget) + 6;
  painter.drawText(QRect(left, option.rect.top(), option.widget->width() - left, option.rect.height()),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

void ConnectionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* model = static_cast<const ConnectionListModel*>(index.model());
  const std::optional<ConnectionRow> row = model->shownRow(index.row());
  painter->save();
  painter->setClipRect(option.rect);
  if (!row) {
    paintHeading(*painter, option, model->headingText(index.row()));
    painter->restore();
    return;
  }
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  const Appearance appearance = appearanceOf(option.palette);
  const bool isQuiet = row->closed || row->unheard;
  const QColor ink = selected  ? option.palette.color(QPalette::HighlightedText)
                     : isQuiet ? quietTextColor(appearance)
                               : option.palette.color(QPalette::Text);
  if (selected) painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));

  const ConnectionColumnRow& column = connectionColumn(index.column());
  QRect area = option.rect;
  if (column.column == ConnectionColumn::limits) {
    // On its own background: the colours are chosen against it.
    if (selected) painter->fillRect(area.adjusted(2, 2, -2, -2), option.palette.color(QPalette::Base));
    paintLimitsBar(*painter, area, row->limits, appearance);
  } else if (column.column == ConnectionColumn::exchanges) {
    if (selected && !row->exchanges.empty()) {
      painter->fillRect(area.adjusted(2, 2, -2, -2), option.palette.color(QPalette::Base));
    }
    paintExchangesBar(*painter, area, row->exchanges, appearance);
  } else if (column.column == ConnectionColumn::trend) {
    if (!row->unheard) paintTrend(*painter, area, *row, selected ? ink : traceColor(0, appearance));
  } else {
    if (column.column == ConnectionColumn::verdict) {
      if (selected)
        painter->fillRect(QRect(area.left() + 2, area.top() + 2, 15, area.height() - 4),
                          option.palette.color(QPalette::Base));
      area = paintVerdictDot(*painter, area, row->limit, appearance);
    }
    const QRect inner = area.adjusted(5, 0, -5, 0);
    painter->setFont(option.font);
    painter->setPen(ink);
    painter->drawText(
        inner, static_cast<int>(Qt::AlignVCenter | (column.rightAligned ? Qt::AlignRight : Qt::AlignLeft)),
        option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, inner.width()));
  }
  painter->restore();
}

}  // namespace tcpscope
