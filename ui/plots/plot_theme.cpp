#include "ui/plots/plot_theme.h"

#include <qcustomplot.h>

#include <QApplication>

namespace tcpscope {

int traceWidth(const QFont& letters) {
  constexpr double kFromAfar = 1.25;
  return letters.pointSizeF() > QApplication::font().pointSizeF() * kFromAfar ? 3 : 1;
}

void applyPlotTheme(QCustomPlot& plot, const QPalette& palette, const QFont& font) {
  const Appearance appearance = appearanceOf(palette);
  plot.setBackground(palette.brush(QPalette::Base));
  const QPen grid(gridColor(appearance), 1);
  for (QCPAxis* axis : plot.axisRect()->axes()) {
    axis->setBasePen(QPen(axisColor(appearance), 1));
    axis->setTickPen(QPen(axisColor(appearance), 1));
    axis->setSubTickPen(QPen(axisColor(appearance), 1));
    axis->setTickLabelColor(axisColor(appearance));
    axis->setLabelColor(axisColor(appearance));
    axis->setTickLabelFont(font);
    axis->setLabelFont(font);
    axis->grid()->setPen(grid);
    axis->grid()->setZeroLinePen(grid);
  }
}

}  // namespace tcpscope
