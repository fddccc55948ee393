#include "ui/plots/painted_layer.h"

#include <qcustomplot.h>

#include <utility>

namespace tcpscope {

namespace {

class PaintedLayer : public QCPLayerable {
public:
  PaintedLayer(QCustomPlot* plot, const QString& layer, PaintArea area,
               std::function<void(QPainter&, const QRect&)> paint)
      : QCPLayerable(plot, layer), m_area(area), m_paint(std::move(paint)) {
    setAntialiased(false);
  }

protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
    applyAntialiasingHint(painter, mAntialiased, QCP::aeOther);
  }
  [[nodiscard]] QRect clipRect() const override {
    return m_area == PaintArea::insideAxes ? mParentPlot->axisRect()->rect() : mParentPlot->viewport();
  }
  void draw(QCPPainter* painter) override { m_paint(*painter, mParentPlot->axisRect()->rect()); }

private:
  PaintArea m_area;
  std::function<void(QPainter&, const QRect&)> m_paint;
};

}  // namespace

void paintOnLayer(QCustomPlot& plot, const QString& layer, PaintArea area,
                  std::function<void(QPainter&, const QRect&)> paint) {
  // The plot owns its layerables as children.
  new PaintedLayer(&plot, layer, area, std::move(paint));
}

}  // namespace tcpscope
