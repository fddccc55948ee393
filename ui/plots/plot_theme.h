// The appearance that all plots share: colours of axes and grid from the theme, labels in the widget's font.
#pragma once

#include <QFont>
#include <QPalette>

#include "ui/theme/theme.h"

class QCustomPlot;

namespace tcpscope {

/// Of a trace, in pixels: where letters are larger than the program's, the plot is seen from afar.
int traceWidth(const QFont& letters);
/// Does not replot.
void applyPlotTheme(QCustomPlot& plot, const QPalette& palette, const QFont& font);

}  // namespace tcpscope
