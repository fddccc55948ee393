#include "ui/plots/envelope_image.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Three eighths, rounded down so far that 255 of 255 stay in a byte: 255 - 63 - 31 + 94.
constexpr int kOpacity = 94;

/// Columns drawn together: half a cache line of each row, and a buffer that stays in the first-level cache.
constexpr int kColumnsAtOnce = 8;

}  // namespace

void Envelope::Rows::add(int otherTop, int otherBottom) {
  top = std::min(top, otherTop);
  bottom = std::max(bottom, otherBottom);
}

std::span<QRgb> Envelope::Rows::of(std::span<QRgb> pixels) const {
  const int first = std::max(top, 0);
  const int end = std::min(bottom, static_cast<int>(pixels.size()));
  if (first >= end) return {};
  return pixels.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
}

Envelope::Envelope(int columns, QColor color)
    : m_share(0), m_lineColor(color.rgb()), m_columns(static_cast<std::size_t>(columns)) {
  color.setAlpha(kOpacity);
  m_share = qPremultiply(color.rgba());
}

Envelope::Column* Envelope::columnAt(int column) {
  const auto index = static_cast<std::size_t>(column);
  return column < 0 || index >= m_columns.size() ? nullptr : &m_columns[index];
}

void Envelope::cover(int column, int top, int bottom) {
  Column* const at = columnAt(column);
  if (at != nullptr && top < bottom) at->covered.add(top, bottom);
}

void Envelope::drawLine(int column, int top, int bottom) {
  Column* const at = columnAt(column);
  if (at != nullptr && top < bottom) at->line.add(top, bottom);
}

void Envelope::blendColumn(int column, std::span<QRgb> pixels) const {
  for (QRgb& pixel : m_columns[static_cast<std::size_t>(column)].covered.of(pixels)) {
    // Five eighths of each of the four channels at once; without branches, so that the compiler takes pixels together.
    pixel = pixel - ((pixel >> 2U) & 0x3f3f3f3fU) - ((pixel >> 3U) & 0x1f1f1f1fU) + m_share;
  }
}

void Envelope::drawLineColumn(int column, std::span<QRgb> pixels) const {
  const std::span<QRgb> line = m_columns[static_cast<std::size_t>(column)].line.of(pixels);
  std::fill(line.begin(), line.end(), m_lineColor);
}

QImage envelopeImage(QSize size, std::span<const Envelope> envelopes) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  const auto height = static_cast<std::size_t>(image.height());
  std::vector<QRgb> upright(kColumnsAtOnce * height);
  auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
  const std::ptrdiff_t stride = image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
  for (int left = 0; left < image.width(); left += kColumnsAtOnce) {
    const int columns = std::min(kColumnsAtOnce, image.width() - left);
    std::fill(upright.begin(), upright.end(), QRgb{0});
    for (int column = 0; column < columns; ++column) {
      const std::span<QRgb> drawn = std::span(upright).subspan(static_cast<std::size_t>(column) * height, height);
      for (const Envelope& envelope : envelopes) envelope.blendColumn(left + column, drawn);
      for (const Envelope& envelope : envelopes) envelope.drawLineColumn(left + column, drawn);
    }
    for (std::size_t y = 0; y < height; ++y) {
      QRgb* const row = pixels + static_cast<std::ptrdiff_t>(y) * stride + left;
      for (int column = 0; column < columns; ++column)
        row[column] = upright[static_cast<std::size_t>(column) * height + y];
    }
  }
  return image;
}

}  // namespace tcpscope
