// The screen of the instrument: shows frames, and turns what mouse and wheel do on it into signals.
//
// It holds no history and decides nothing: the view builds the frame to show. Replots are queued, so that several
// frames between two repaints cost one.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/plots/saved_picture.h"
#include "ui/plots/trace_frame.h"

namespace tcpscope {

class TracePlot : public QWidget {
  Q_OBJECT
public:
  explicit TracePlot(QWidget* parent = nullptr);
  ~TracePlot() override;

  void setFrame(TraceFrame frame);
  [[nodiscard]] const TraceFrame& frame() const { return m_frame; }
  /// Width of the graticule in device pixels: how many columns of samples a frame needs; at least 1.
  [[nodiscard]] std::size_t columns() const;
  /// Draws at once, for benchmarks and pictures.
  void replotNow();
  /// False where the file could not be written.
  bool savePicture(const PictureFile& file);

signals:
  /// The graticule may have another width: columns() says which, once control is back in the event loop.
  void resized();
  void cursorDragged(tcpscope::Cursor cursor, tcpscope::Moment to);
  /// Dragged by so much; positive towards newer samples.
  void panned(tcpscope::Nanoseconds by);
  /// Wheel steps, positive to zoom in.
  void zoomed(int steps, tcpscope::Moment anchor);
  /// Wheel steps left of the screen or with Shift, positive to draw the selected trace larger.
  void scaleTurned(int steps);
  void traceClicked(std::size_t index);
  /// The mouse is over this moment, on the marks that are described: the view sets the tool tip.
  void pointedAt(tcpscope::Moment at, const QPoint& global, const QString& marks);
  /// A menu is asked for over this moment.
  void menuRequested(tcpscope::Moment at, const QPoint& global);

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Screen;
  struct Drag;

  [[nodiscard]] PlotGeometry geometry() const;
  void applyTheme();
  void applyAxes();
  void applyTimeAxis(const PlotGeometry& shown);
  void onPress(QMouseEvent* event);
  void onMove(QMouseEvent* event);
  void onRelease();
  void onWheel(QWheelEvent* event);
  [[nodiscard]] std::optional<Cursor> cursorAt(const QPointF& position) const;
  [[nodiscard]] std::optional<std::size_t> traceAt(const QPointF& position) const;

  TraceFrame m_frame;
  std::unique_ptr<Screen> m_screen;
  std::unique_ptr<Drag> m_drag;
};

}  // namespace tcpscope
