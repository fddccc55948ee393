#include "ui/widgets/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace tcpscope {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QSize ElidedLabel::minimumSizeHint() const {
  return {0, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
  Q_UNUSED(event);
  QPainter painter(this);
  const QRect area = contentsRect();
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, area.width());
  const auto aligned = QStyle::visualAlignment(layoutDirection(), alignment());
  style()->drawItemText(&painter, area, static_cast<int>(aligned), palette(), isEnabled(), shown, foregroundRole());
}

}  // namespace tcpscope
