// A rate over time with the bounds of several models drawn over it as lines, each with its name at its end.
//
// Bounds far above the rate would flatten it: they are named at the top edge instead of drawn to scale.
#pragma once

#include <QFontMetrics>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/plots/plot_geometry.h"
#include "ui/plots/trace_samples.h"

namespace tcpscope {

struct BoundLine {
  QString label;
  /// In bit/s, finite.
  double rateBps = 0.0;
};

class RatePlot : public QWidget {
  Q_OBJECT
public:
  explicit RatePlot(QWidget* parent = nullptr);
  ~RatePlot() override;

  void setRate(TraceSamples rate, TimeSpan screen, Moment reference);
  void setBounds(std::vector<BoundLine> bounds);
  [[nodiscard]] std::size_t columns() const;
  /// Pixels right of the graticule, where bounds are named.
  [[nodiscard]] static int rightMargin(const QFontMetrics& letters);

signals:
  /// As TracePlot::resized().
  void resized();

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Plot;
  void applyTheme();
  void applyRange();
  [[nodiscard]] QRectF area() const;
  [[nodiscard]] double yOf(double rateBps) const;
  void paint(class QPainter& painter) const;
  void paintNames(class QPainter& painter) const;

  std::unique_ptr<Plot> m_plot;
  TraceSamples m_rate;
  TimeSpan m_screen;
  Moment m_reference;
  std::vector<BoundLine> m_bounds;
  double m_topBps = 1000.0;
};

/// Top of the axis that shows the rate and every bound that is not far above it. `largestRate` may be NaN.
double rateAxisTop(double largestRate, const std::vector<BoundLine>& bounds);

}  // namespace tcpscope
