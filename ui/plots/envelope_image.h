// Decimated traces as a picture: in each column of pixels a translucent bar from a trace's largest value to its
// smallest, bars of several traces shining through each other, and the lines through the last values on top.
//
// Drawn row by row, as pixels lie in memory: thousands of upright lines, and above all dashed ones, cost a painter
// several times as much.
#pragma once

#include <QColor>
#include <QImage>
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

  /// Blends the envelope's part of row `y`, `columns` pixels wide, over the existing pixels.
  void blendRow(int y, QRgb* row) const;
  /// Draws the line's part of row `y` over the existing pixels.
  void drawLineRow(int y, QRgb* row) const;

private:
  /// What a covered pixel gains, premultiplied.
  QRgb m_share;
  std::vector<int> m_top;
  std::vector<int> m_bottom;
  int m_highest;
  int m_lowest;
  QRgb m_lineColor;
  std::vector<int> m_lineTop;
  std::vector<int> m_lineBottom;
  int m_lineHighest;
  int m_lineLowest;
};

/// Transparent where no trace lies; every line is above every envelope. All envelopes have `size.width()` columns.
QImage envelopeImage(QSize size, std::span<const Envelope> envelopes);

}  // namespace tcpscope
