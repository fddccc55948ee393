// Decimated traces as a picture: in each column of pixels a translucent bar from a trace's largest value to its
// smallest, bars of several traces shining through each other, and the lines through the last values on top.
//
// A few columns at a time are drawn upright in a buffer that the cache holds, because bars and lines are upright runs,
// and then turned into rows of the picture. Runs written into rows, and above all a painter's lines, cost several times
// as much.
#pragma once

#include <QColor>
#include <QImage>
#include <limits>
#include <span>
#include <vector>

namespace tcpscope {

/// One trace's bars, in pixels of the picture.
class Envelope {
public:
  Envelope(int columns, QColor color);

  /// Covers the rows [top, bottom) of a column, beside what the column covers already; rows and columns outside of the
  /// picture are left out.
  void cover(int column, int top, int bottom);

  /// The line takes the rows [top, bottom) of a column, beside those that it takes already.
  void drawLine(int column, int top, int bottom);

  /// Blends the envelope's part of a column over `pixels`, which lie from top to bottom.
  void blendColumn(int column, std::span<QRgb> pixels) const;
  /// Draws the line's part of a column over `pixels`.
  void drawLineColumn(int column, std::span<QRgb> pixels) const;

private:
  /// Empty at first.
  struct Rows {
    int top = std::numeric_limits<int>::max();
    int bottom = std::numeric_limits<int>::min();

    void add(int otherTop, int otherBottom);
    [[nodiscard]] std::span<QRgb> of(std::span<QRgb> pixels) const;
  };
  struct Column {
    Rows covered;
    Rows line;
  };

  [[nodiscard]] Column* columnAt(int column);

  /// What a covered pixel gains, premultiplied.
  QRgb m_share;
  QRgb m_lineColor;
  std::vector<Column> m_columns;
};

/// Transparent where no trace lies; every line is above every envelope. All envelopes have `size.width()` columns.
QImage envelopeImage(QSize size, std::span<const Envelope> envelopes);

}  // namespace tcpscope
