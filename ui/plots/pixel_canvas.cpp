#include "ui/plots/pixel_canvas.h"

#include <algorithm>

namespace tcpscope {

namespace {

using Rows = std::array<std::uint16_t, kMarkerPixels>;

// In the order of the enumeration; symmetric, so that the order of the bits does not matter.
constexpr std::array<Rows, 13> kMarkers = {{
    {},
    {0b000000000, 0b011111110, 0b011111110, 0b011111110, 0b011111110, 0b011111110, 0b011111110, 0b011111110, 0},
    {0b000000000, 0b011111110, 0b010000010, 0b010000010, 0b010000010, 0b010000010, 0b010000010, 0b011111110, 0},
    {0b000000000, 0b000111000, 0b001111100, 0b011111110, 0b011111110, 0b011111110, 0b001111100, 0b000111000, 0},
    {0b000000000, 0b000111000, 0b001000100, 0b010000010, 0b010000010, 0b010000010, 0b001000100, 0b000111000, 0},
    {0b000010000, 0b000111000, 0b001111100, 0b011111110, 0b111111111, 0b011111110, 0b001111100, 0b000111000,
     0b000010000},
    {0b000010000, 0b000101000, 0b001000100, 0b010000010, 0b100000001, 0b010000010, 0b001000100, 0b000101000,
     0b000010000},
    {0b000010000, 0b000010000, 0b000111000, 0b000111000, 0b001111100, 0b001111100, 0b011111110, 0b111111111, 0},
    {0b000000000, 0b111111111, 0b011111110, 0b001111100, 0b001111100, 0b000111000, 0b000111000, 0b000010000,
     0b000010000},
    {0b110000011, 0b011000110, 0b001101100, 0b000111000, 0b000010000, 0b000111000, 0b001101100, 0b011000110,
     0b110000011},
    {0b000010000, 0b000010000, 0b000010000, 0b000010000, 0b111111111, 0b000010000, 0b000010000, 0b000010000,
     0b000010000},
    {0, 0, 0, 0, 0b001111100, 0, 0, 0, 0},
    {0b000010000, 0b010010010, 0b001010100, 0b000111000, 0b111111111, 0b000111000, 0b001010100, 0b010010010,
     0b000010000},
}};

}  // namespace

const Rows& markerRows(MarkerShape shape) {
  return kMarkers.at(static_cast<std::size_t>(shape));
}

PixelCanvas::PixelCanvas(QSize size, int scale)
    : m_image(size.expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied), m_scale(std::max(scale, 1)) {
  m_image.fill(Qt::transparent);
  m_pixels = reinterpret_cast<QRgb*>(m_image.bits());
  m_stride = m_image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
}

void PixelCanvas::fill(int left, int top, int right, int bottom, QRgb color) {
  left = std::max(left, 0);
  top = std::max(top, 0);
  right = std::min(right, width() - 1);
  bottom = std::min(bottom, height() - 1);
  if (left > right) return;
  QRgb* row = m_pixels + top * m_stride;
  for (int y = top; y <= bottom; ++y, row += m_stride) {
    for (int x = left; x <= right; ++x) row[x] = color;
  }
}

void PixelCanvas::bar(int x, int top, int bottom, QRgb color) {
  if (top > bottom) std::swap(top, bottom);
  fill(x, top, x + m_scale - 1, bottom, color);
}

void PixelCanvas::run(int left, int right, int y, QRgb color) {
  fill(left, y, right, y + m_scale - 1, color);
}

void PixelCanvas::dot(int x, int y, QRgb color) {
  fill(x, y, x + 2 * m_scale - 1, y + 2 * m_scale - 1, color);
}

void PixelCanvas::marker(MarkerShape shape, int x, int y, QRgb color) {
  const int left = x - kMarkerPixels / 2 * m_scale;
  const int top = y - kMarkerPixels / 2 * m_scale;
  const int size = kMarkerPixels * m_scale;
  if (left >= width() || top >= height() || left + size <= 0 || top + size <= 0) return;
  const Rows& rows = markerRows(shape);
  for (int row = 0; row < kMarkerPixels; ++row) {
    const unsigned bits = rows.at(static_cast<std::size_t>(row));
    for (int column = 0; column < kMarkerPixels; ++column) {
      if ((bits >> static_cast<unsigned>(column) & 1U) == 0) continue;
      const int pixelLeft = left + column * m_scale;
      const int pixelTop = top + row * m_scale;
      fill(pixelLeft, pixelTop, pixelLeft + m_scale - 1, pixelTop + m_scale - 1, color);
    }
  }
}

}  // namespace tcpscope
