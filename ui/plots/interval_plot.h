// How losses follow each other: the probability density of the times between them in RTTs, on a logarithmic axis,
// beside the line of a Poisson process of the same rate.
//
// A bin without an interval has no bar: a logarithmic axis has no place for zero.
#pragma once

#include <QWidget>
#include <memory>

#include "core/wire/loss/loss_intervals.h"

class QPainter;

namespace tcpscope {

/// Whole decades that hold every density and the Poisson line as far as it is not far below them.
struct DensityRange {
  double from = 0.1;
  double to = 10.0;
};
DensityRange densityRange(const IntervalDensity& density);

class IntervalPlot : public QWidget {
  Q_OBJECT
public:
  explicit IntervalPlot(QWidget* parent = nullptr);
  ~IntervalPlot() override;

  void setDensity(IntervalDensity density);
  /// Why there is nothing to see; empty where there is something.
  void setMessage(const QString& message);

protected:
  void changeEvent(QEvent* event) override;

private:
  struct Plot;
  void applyTheme();
  void paint(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;

  std::unique_ptr<Plot> m_plot;
  IntervalDensity m_density;
  QString m_message;
};

}  // namespace tcpscope
