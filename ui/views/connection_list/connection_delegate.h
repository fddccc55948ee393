// Draws the cells of the connection list: text, limits bar, trend, verdict with its dot, and the headings of groups
// across all columns. Closed connections are quiet.
#pragma once

#include <QStyledItemDelegate>

#include "ui/models/connection_list_model.h"

namespace tcpscope {

class ConnectionDelegate : public QStyledItemDelegate {
  Q_OBJECT
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
  static void paintHeading(QPainter& painter, const QStyleOptionViewItem& option, const QString& text);
};

}  // namespace tcpscope
