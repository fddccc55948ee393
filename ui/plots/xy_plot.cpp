#include "ui/plots/xy_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/plots/axis_tickers.h"
#include "ui/plots/painted_layer.h"
#include "ui/plots/plot_geometry.h"
#include "ui/plots/plot_theme.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

/// Up to here the path from one to the next is drawn, too.
constexpr std::size_t kConnectedBelow = 400;
constexpr int kOldestAlpha = 70;
constexpr int kPathAlpha = 110;

/// Where points lie in the picture of the axes' inside.
struct XyMap {
  QRectF area;
  const XyAxis& x;
  const XyAxis& y;

  [[nodiscard]] QPointF at(const XyPoint& point) const {
    return {area.left() + x.ratioOf(point.x) * area.width(), area.bottom() - y.ratioOf(point.y) * area.height()};
  }
};

/// Four pixels a point, each written once: a painter takes several times as long for as many rectangles.
void drawPoints(QImage& image, const XyMap& map, const XySeries& series, QColor color) {
  const auto count = static_cast<int>(series.points.size());
  for (int index = 0; index < count; ++index) {
    color.setAlpha(kOldestAlpha + (255 - kOldestAlpha) * (index + 1) / count);
    const QRgb pixel = qPremultiply(color.rgba());
    const QPoint corner = map.at(series.points[static_cast<std::size_t>(index)]).toPoint() - QPoint(1, 1);
    for (int row = corner.y(); row < corner.y() + 2; ++row) {
      for (int column = corner.x(); column < corner.x() + 2; ++column) {
        if (image.rect().contains(column, row)) image.setPixel(column, row, pixel);
      }
    }
  }
}

void drawPath(QPainter& painter, const XyMap& map, const XySeries& series, QColor color, int width) {
  QPolygonF path;
  for (const XyPoint& point : series.points) path.append(map.at(point));
  color.setAlpha(kPathAlpha);
  painter.setPen(QPen(color, width));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(path);
}

}  // namespace

struct XyPlot::Plot {
  QCustomPlot* widget;
};

XyPlot::XyPlot(QWidget* parent) : QWidget(parent), m_plot(std::make_unique<Plot>(Plot{new QCustomPlot(this)})) {
  QCustomPlot& plot = *m_plot->widget;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&plot);
  plot.setAccessibleName(QStringLiteral("One metric against another"));
  plot.setFocusPolicy(Qt::NoFocus);
  plot.setMinimumSize(320, 180);
  plot.setNotAntialiasedElements(QCP::aeAll);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.axisRect()->setupFullAxesBox(false);
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::insideAxes,
               [this](QPainter& painter, const QRect&) { paint(painter); });
  connect(&plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent* event) {
    QToolTip::showText(event->globalPosition().toPoint(), toolTipText(readoutAt(event->position())), m_plot->widget);
  });
  applyTheme();
}

XyPlot::~XyPlot() = default;

void XyPlot::setFrame(XyFrame frame) {
  m_frame = std::move(frame);
  m_plot->widget->setAccessibleDescription(QStringLiteral("%1 against %2").arg(m_frame.yTitle, m_frame.xTitle));
  applyAxes();
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

void XyPlot::applyAxes() {
  QCustomPlot& plot = *m_plot->widget;
  const int below = timeLabelPadding(fontMetrics());
  plot.xAxis->setTickLabelPadding(below);
  plot.axisRect()->setMargins(QMargins(plotLeftMargin(fontMetrics()) + fontMetrics().height() + 8,
                                       fontMetrics().height(), 3 * fontMetrics().height(),
                                       2 * fontMetrics().height() + 9 + below));
  plot.xAxis->setLabel(m_frame.xTitle);
  plot.yAxis->setLabel(m_frame.yTitle);
  const auto show = [](QCPAxis& axis, const XyAxis& shown) {
    axis.setRange(shown.from(), shown.to());
    axis.setTicker(divisionTicker(shown.step(), [shown](double tick) { return shown.label(tick); }));
  };
  show(*plot.xAxis, m_frame.x);
  show(*plot.yAxis, m_frame.y);
}

void XyPlot::paint(QPainter& painter) const {
  const Appearance appearance = appearanceOf(palette());
  const QRect area = m_plot->widget->axisRect()->rect();
  if (area.isEmpty()) return;
  QImage image(area.size(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  const XyMap inImage{QRectF(QPointF(0, 0), QSizeF(area.size())), m_frame.x, m_frame.y};
  const XyMap onPlot{QRectF(area), m_frame.x, m_frame.y};
  for (const XySeries& series : m_frame.series) {
    const QColor color = traceColor(series.style, appearance);
    if (series.points.size() < kConnectedBelow) drawPath(painter, onPlot, series, color, traceWidth(font()));
    drawPoints(image, inImage, series, color);
  }
  painter.drawImage(area.topLeft(), image);
  double row = area.top() + 4.0;
  for (const XySeries& series : m_frame.series) {
    const QColor color = traceColor(series.style, appearance);
    if (!series.points.empty()) {
      // Where it is now.
      const QPointF newest = onPlot.at(series.points.back());
      painter.setPen(QPen(axisColor(appearance), 1));
      painter.setBrush(color);
      painter.drawRect(QRectF(newest.x() - 4.0, newest.y() - 4.0, 8.0, 8.0));
    }
    if (series.label.isEmpty()) continue;
    const QFontMetrics metrics = painter.fontMetrics();
    const QRectF box(area.left() + 6.0, row, metrics.horizontalAdvance(series.label) + 10.0, metrics.height() + 1.0);
    painter.fillRect(box, color);
    painter.setPen(textColorOn(color));
    painter.drawText(box, Qt::AlignCenter, series.label);
    row += box.height() + 2.0;
  }
  if (m_frame.message.isEmpty()) return;
  painter.setPen(quietTextColor(appearance));
  painter.drawText(area.adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_frame.message);
}

QString XyPlot::readoutAt(const QPointF& position) const {
  const QRectF area(m_plot->widget->axisRect()->rect());
  if (!area.contains(position)) return {};
  const double across = (position.x() - area.left()) / area.width();
  const double up = (area.bottom() - position.y()) / area.height();
  return QStringLiteral("%1: %2\n%3: %4")
      .arg(m_frame.yTitle, valueLabel(m_frame.y.unit(), m_frame.y.valueAt(up)), m_frame.xTitle,
           valueLabel(m_frame.x.unit(), m_frame.x.valueAt(across)));
}

void XyPlot::applyTheme() {
  QCustomPlot& plot = *m_plot->widget;
  applyPlotTheme(plot, palette(), font());
  for (QCPAxis* axis : {plot.xAxis2, plot.yAxis2}) {
    axis->setTicks(false);
    axis->setTickLabels(false);
  }
  applyAxes();
  plot.replot(QCustomPlot::rpQueuedReplot);
}

void XyPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QWidget::changeEvent(event);
}

bool XyPlot::savePicture(const PictureFile& file) {
  return tcpscope::savePicture(*m_plot->widget, file);
}

}  // namespace tcpscope
