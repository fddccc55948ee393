// Own painting inside a QCustomPlot: a function that paints on one of its layers.
//
// QCustomPlot gives axes, layers, queued replots and export; what is drawn in bulk is painted directly, because a
// plottable's own point handling costs several times as much.
#pragma once

#include <QRect>
#include <QString>
#include <functional>

class QCustomPlot;
class QPainter;

namespace tcpscope {

enum class PaintArea { insideAxes, wholePlot };

/// `paint` gets the painter and the inside of the axes; it is called at each replot of the layer, and must live as long
/// as the plot.
void paintOnLayer(QCustomPlot& plot, const QString& layer, PaintArea area,
                  std::function<void(QPainter&, const QRect&)> paint);

}  // namespace tcpscope
