// A picture that is written pixel by pixel: bars, runs and small symbols, in full colour and without smoothing.
//
// A painter needs some hundred nanoseconds for a line, which a million segments do not have. Everything outside of the
// picture is left out.
#pragma once

#include <QColor>
#include <QImage>
#include <array>

namespace tcpscope {

/// Distinguishable without colour.
enum class MarkerShape : std::uint8_t {
  none,
  square,
  hollowSquare,
  disc,
  ring,
  diamond,
  hollowDiamond,
  triangleUp,
  triangleDown,
  cross,
  plus,
  dash,
  star,
};

inline constexpr int kMarkerPixels = 9;
/// One row a number, the lowest bit at the left.
const std::array<std::uint16_t, kMarkerPixels>& markerRows(MarkerShape shape);

class PixelCanvas {
public:
  /// Transparent. `scale`: pixels of the picture to one of the symbols' and to the thickness of a line; at least 1.
  PixelCanvas(QSize size, int scale);

  /// Rows from `top` to `bottom`, both included, in either order.
  void bar(int x, int top, int bottom, QRgb color);
  /// Columns from `left` to `right`, both included.
  void run(int left, int right, int y, QRgb color);
  void dot(int x, int y, QRgb color);
  /// Centred.
  void marker(MarkerShape shape, int x, int y, QRgb color);

  [[nodiscard]] int width() const { return m_image.width(); }
  [[nodiscard]] int height() const { return m_image.height(); }
  [[nodiscard]] int scale() const { return m_scale; }
  [[nodiscard]] const QImage& image() const { return m_image; }

private:
  void fill(int left, int top, int right, int bottom, QRgb color);

  QImage m_image;
  QRgb* m_pixels;
  std::ptrdiff_t m_stride;
  int m_scale;
};

}  // namespace tcpscope
