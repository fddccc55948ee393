// What held a side back over time: a strip in which each column is divided among the limits, with their colours.
//
// Time without intervals (nothing observed) stays empty: it is not the same as unknown.
#pragma once

#include <QWidget>
#include <vector>

#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/limits/limit_timeline.h"
#include "ui/plots/plot_geometry.h"

namespace tcpscope {

class LimitStrip : public QWidget {
  Q_OBJECT
public:
  explicit LimitStrip(QWidget* parent = nullptr);

  /// The intervals of `side` on `screen`; the axis calls `reference` 0.
  void setTimeline(const LimitTimeline& timeline, Side side, TimeSpan screen, Moment reference);
  /// Pixels right of the strip, to stand under another plot.
  void setRightMargin(int pixels);
  [[nodiscard]] QSize sizeHint() const override { return {640, 110}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {320, 80}; }

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  [[nodiscard]] PlotGeometry geometry() const;
  [[nodiscard]] const LimitShares& shares(const LimitInterval& interval) const;

  std::vector<LimitInterval> m_intervals;
  Side m_side = Side::sending;
  TimeSpan m_screen;
  Moment m_reference;
  int m_rightMargin = 16;
};

/// "receiver's window 62 %, network 38 %": the limits from a hundredth up, largest first.
QString describeShares(const LimitShares& shares);

}  // namespace tcpscope
