// The screen of the packet graphs: shows one scene, and turns what mouse and wheel do on it into signals.
//
// It decides nothing: the view says what is shown. Replots are queued, so that several changes between two repaints
// cost one.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/plots/cursor_pair.h"
#include "ui/plots/packet_scene.h"
#include "ui/plots/plot_geometry.h"
#include "ui/plots/saved_picture.h"

namespace tcpscope {

/// Where a packet stands on the screen.
struct PacketMark {
  Moment time;
  /// Nothing where the graph has no value for it.
  std::optional<ValueRange> place;
};

/// What the screen shows. Without a series only the message.
struct PacketFrame {
  /// Outlives the frame, as `owner` sees to.
  const DirectionSeries* series = nullptr;
  std::shared_ptr<const void> owner;
  /// Outlives the frame likewise.
  KernelSide kernel;
  PacketGraph graph = PacketGraph::sequence;
  TimeSpan screen;
  /// Where the values do not fit themselves.
  std::optional<ValueRange> values;
  /// The moment that the time axis calls 0, and its name.
  Moment reference;
  QString referenceText;
  CursorPair cursors;
  /// The packet that is selected.
  std::optional<PacketMark> selected;
  /// Ringed beside it: packets that another view asked for.
  std::vector<PacketMark> marked;
  QString message;
};

class PacketPlot : public QWidget {
  Q_OBJECT
public:
  explicit PacketPlot(QWidget* parent = nullptr);
  ~PacketPlot() override;

  void setFrame(PacketFrame frame);
  /// Repaints the cursors alone.
  void setCursors(const CursorPair& cursors);
  [[nodiscard]] const PacketFrame& frame() const { return m_frame; }
  /// The values that the screen reaches from bottom to top.
  [[nodiscard]] ValueRange shownValues() const { return m_values; }
  /// See PacketScene.
  [[nodiscard]] std::optional<Nanoseconds> averagedOver() const { return m_averagedOver; }
  /// Time and values of so many pixels.
  [[nodiscard]] Nanoseconds timeOf(double pixels) const { return geometry().spanOf(pixels); }
  [[nodiscard]] double valueOf(double pixels) const;
  /// Draws at once, for benchmarks and pictures.
  void replotNow();
  /// False where the file could not be written.
  bool savePicture(const PictureFile& file);

signals:
  void cursorDragged(tcpscope::Cursor cursor, tcpscope::Moment to);
  /// Dragged by so much: positive towards later and towards more.
  void panned(tcpscope::Nanoseconds by, double values);
  /// Wheel steps, positive to zoom in.
  void zoomed(int steps, tcpscope::Moment anchor);
  /// The same for values: with Shift, or left of the screen.
  void valuesZoomed(int steps, double anchor);
  /// A box drawn with Shift.
  void boxed(tcpscope::TimeSpan span, tcpscope::ValueRange values);
  /// Clicked here, without a drag.
  void clicked(tcpscope::Moment time, double value);
  /// The mouse is here: the view sets the tool tip.
  void pointedAt(tcpscope::Moment time, double value);

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Screen;
  struct Drag;

  [[nodiscard]] PlotGeometry geometry() const;
  [[nodiscard]] double valueAt(double y) const;
  void prepare();
  void applyAxes();
  void applyTheme();
  void paint(QPainter& painter);
  void paintNames(QPainter& painter) const;
  void paintLineNames(QPainter& painter) const;
  void paintOverlay(QPainter& painter) const;
  void paintSelected(QPainter& painter, const PlotGeometry& shown, double perValue) const;
  void onPress(QMouseEvent* event);
  void onMove(QMouseEvent* event);
  void onRelease();
  void onWheel(QWheelEvent* event);
  [[nodiscard]] std::optional<Cursor> cursorAt(const QPointF& position) const;

  PacketFrame m_frame;
  ValueRange m_values;
  std::optional<Nanoseconds> m_averagedOver;
  std::unique_ptr<Screen> m_screen;
  std::unique_ptr<Drag> m_drag;
};

}  // namespace tcpscope
