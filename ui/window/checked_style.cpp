#include "ui/window/checked_style.h"

#include <QPainter>
#include <QStyleOption>

#include "ui/theme/theme.h"

namespace tcpscope {

CheckedStyle::CheckedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void CheckedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
  QProxyStyle::drawPrimitive(element, option, painter, widget);
  if (element != PE_PanelButtonTool || !(option->state & State_On)) return;
  constexpr int kTint = 70;
  constexpr double kRadius = 2.0;
  constexpr int kLighterInTheDark = 140;
  QColor color = option->palette.color(QPalette::Highlight);
  if (appearanceOf(option->palette) == Appearance::dark) color = color.lighter(kLighterInTheDark);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(color, 1.5));
  color.setAlpha(kTint);
  painter->setBrush(color);
  painter->drawRoundedRect(QRectF(option->rect).adjusted(1.0, 1.0, -1.0, -1.0), kRadius, kRadius);
  painter->restore();
}

}  // namespace tcpscope
