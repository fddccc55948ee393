// Where moments and divisions lie on the screen, and back.
#pragma once

#include <QFontMetrics>
#include <QRectF>
#include <QString>

#include "ui/feed/selection.h"
#include "ui/plots/vertical_scale.h"

namespace tcpscope {

/// Left of every plot over time, so that plots above each other share their time axis by eye: a value with its unit.
inline int plotLeftMargin(const QFontMetrics& metrics) {
  return metrics.horizontalAdvance(QStringLiteral("1000 Mbit/s")) + 12;
}

/// Between the axis below and its labels: below the lower half of the value axis' lowest label, which stands in the
/// corner.
inline int timeLabelPadding(const QFontMetrics& metrics) {
  return metrics.height() / 2;
}

/// How near to a line the pointer takes hold of it.
inline constexpr int kGrabPixels = 6;

struct PlotGeometry {
  /// The graticule's inside, in pixels; not empty.
  QRectF area;
  /// Left to right edge; longer than nothing.
  TimeSpan screen;

  [[nodiscard]] double xOf(Moment moment) const {
    return area.left() + toSeconds(moment - screen.from) / toSeconds(screen.to - screen.from) * area.width();
  }
  [[nodiscard]] double yOf(double division) const { return area.bottom() - division / kValueDivisions * area.height(); }
  [[nodiscard]] Moment momentAt(double x) const { return screen.from + spanOf(x - area.left()); }
  /// Length of so many pixels.
  [[nodiscard]] Nanoseconds spanOf(double pixels) const {
    return std::chrono::duration_cast<Nanoseconds>(
        std::chrono::duration<double>(pixels / area.width() * toSeconds(screen.to - screen.from)));
  }

  /// One of so many bands of equal height, counted from the top.
  [[nodiscard]] PlotGeometry band(std::size_t index, std::size_t count) const {
    if (count <= 1) return *this;
    const double height = area.height() / static_cast<double>(count);
    return {QRectF(area.left(), area.top() + static_cast<double>(index) * height, area.width(), height), screen};
  }
};

}  // namespace tcpscope
