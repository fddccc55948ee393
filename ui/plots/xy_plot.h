// The screen of the instrument in XY mode: one metric against another, a cloud of points for each connection, in which
// newer points are stronger.
#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/plots/saved_picture.h"
#include "ui/plots/xy_axis.h"
#include "ui/plots/xy_samples.h"

class QPainter;

namespace tcpscope {

struct XySeries {
  /// Empty where there is one only.
  QString label;
  /// Number of the colour (ui/theme).
  int style = 0;
  /// The newest last.
  std::vector<XyPoint> points;
};

struct XyFrame {
  QString xTitle;
  QString yTitle;
  XyAxis x{MetricUnit::none};
  XyAxis y{MetricUnit::none};
  std::vector<XySeries> series;
  /// Shown in the middle: why there is nothing to see.
  QString message;
};

class XyPlot : public QWidget {
  Q_OBJECT
public:
  explicit XyPlot(QWidget* parent = nullptr);
  ~XyPlot() override;

  void setFrame(XyFrame frame);
  [[nodiscard]] const XyFrame& frame() const { return m_frame; }
  /// False where the file could not be written.
  bool savePicture(const PictureFile& file);
  /// "cwnd (bytes): 400 KiB", and "RTT: 31.0 ms" below it, at a position in the plot; empty beside the axes.
  [[nodiscard]] QString readoutAt(const QPointF& position) const;

protected:
  void changeEvent(QEvent* event) override;

private:
  struct Plot;

  void applyTheme();
  void applyAxes();
  void paint(QPainter& painter) const;

  XyFrame m_frame;
  std::unique_ptr<Plot> m_plot;
};

}  // namespace tcpscope
