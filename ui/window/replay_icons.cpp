#include "ui/window/replay_icons.h"

#include <QPainter>
#include <QPolygonF>

namespace tcpscope {

namespace {

/// Drawn in a square of this many units, and large enough for every screen.
constexpr int kUnits = 16;
constexpr int kPixels = 64;

/// From one edge to the tip.
void drawTriangle(QPainter& painter, double from, double tip) {
  painter.drawPolygon(QPolygonF({{from, 3.0}, {tip, 8.0}, {from, 13.0}}));
}

void drawBeam(QPainter& painter, double left, double width) {
  painter.drawRect(QRectF(left, 3.0, width, 10.0));
}

void drawSign(QPainter& painter, ReplaySign sign) {
  switch (sign) {
    case ReplaySign::toStart:
      drawBeam(painter, 3.0, 2.0);
      drawTriangle(painter, 13.0, 5.5);
      break;
    case ReplaySign::stepBack:
      drawTriangle(painter, 8.0, 2.0);
      drawTriangle(painter, 14.0, 8.0);
      break;
    case ReplaySign::playBack:
      drawTriangle(painter, 12.0, 3.0);
      break;
    case ReplaySign::play:
      drawTriangle(painter, 4.0, 13.0);
      break;
    case ReplaySign::pause:
      drawBeam(painter, 4.0, 3.0);
      drawBeam(painter, 9.0, 3.0);
      break;
    case ReplaySign::stepForward:
      drawTriangle(painter, 2.0, 8.0);
      drawTriangle(painter, 8.0, 14.0);
      break;
    case ReplaySign::toEnd:
      drawTriangle(painter, 3.0, 10.5);
      drawBeam(painter, 11.0, 2.0);
      break;
  }
}

QPixmap pixmapOf(ReplaySign sign, const QColor& color) {
  QPixmap pixmap(kPixels, kPixels);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(double(kPixels) / kUnits, double(kPixels) / kUnits);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  drawSign(painter, sign);
  return pixmap;
}

}  // namespace

QIcon replayIcon(ReplaySign sign, const QPalette& palette) {
  QIcon icon(pixmapOf(sign, palette.color(QPalette::Active, QPalette::ButtonText)));
  icon.addPixmap(pixmapOf(sign, palette.color(QPalette::Disabled, QPalette::ButtonText)), QIcon::Disabled);
  return icon;
}

}  // namespace tcpscope
