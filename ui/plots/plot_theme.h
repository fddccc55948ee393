// The appearance that all plots share: colours of axes and grid from the theme, labels in the widget's font.
#pragma once

#include <QFont>
#include <QPalette>

#include "ui/theme/theme.h"

class QCustomPlot;

namespace tcpscope {

/// Does not replot.
void applyPlotTheme(QCustomPlot& plot, const QPalette& palette, const QFont& font);

}  // namespace tcpscope
