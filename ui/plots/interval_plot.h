// How losses follow each other, beside the line of a Poisson process of the same rate: all times between them over
// decades of RTTs, or the probability density of those up to two RTTs on a logarithmic axis, as papers draw it.
//
// A bin without an interval has no bar: a logarithmic axis has no place for zero.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

  void showShares(const IntervalShares& shares);
  void showDensity(const IntervalDensity& density);
  /// The bin that is selected, by its number; absent for none.
  void select(std::optional<std::size_t> bin);
  [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }
  /// The next bin with an interval, or the one before; absent where there is none.
  [[nodiscard]] std::optional<std::size_t> neighbour(bool isNext) const;
  /// From and to in RTTs; `bin` as selected().
  [[nodiscard]] std::pair<double, double> edgesOf(std::size_t bin) const { return {m_bins[bin].from, m_bins[bin].to}; }
  /// Why there is nothing to see; empty where there is something.
  void setMessage(const QString& message);

signals:
  /// A bar was clicked.
  void binClicked(std::size_t bin);

protected:
  void changeEvent(QEvent* event) override;

private:
  struct Plot;
  struct Bin {
    double from = 0.0;
    double to = 0.0;
    /// Nothing for no bar.
    std::optional<double> measured;
    std::optional<double> poisson;
  };
  void setBins(std::vector<Bin> bins);
  void useAxes(bool isLogarithmic, const QString& valueLabel);
  void applyTheme();
  void paint(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;

  std::unique_ptr<Plot> m_plot;
  void click(double x);

  std::vector<Bin> m_bins;
  std::optional<std::size_t> m_selected;
  QString m_message;
};

}  // namespace tcpscope
