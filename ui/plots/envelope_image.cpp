#include "ui/plots/envelope_image.h"

#include <algorithm>
#include <type_traits>

#include "ui/plots/pixel_blend.h"

namespace tcpscope {

namespace {

/// Columns drawn together: half a cache line of each row, and a buffer that stays in the first-level cache.
constexpr int kColumnsAtOnce = 8;

/// Turns columns that lie behind each other, `height` pixels each, into the rows of the picture from `rows` on.
void turn(std::span<const QRgb> columns, std::size_t height, int count, QRgb* rows, std::ptrdiff_t stride) {
  const auto turnRows = [&](auto number) {
    QRgb* row = rows;
    for (std::size_t y = 0; y < height; ++y, row += stride) {
      for (int column = 0; column < number; ++column)
        row[column] = columns[static_cast<std::size_t>(column) * height + y];
    }
  };
  // A number of columns that the compiler knows needs no loop.
  if (count == kColumnsAtOnce) return turnRows(std::integral_constant<int, kColumnsAtOnce>());
  turnRows(count);
}

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
  color.setAlpha(kBlendOpacity);
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
  blend(m_columns[static_cast<std::size_t>(column)].covered.of(pixels), m_share);
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
    const auto drawn = [&upright, height](int column) {
      return std::span(upright).subspan(static_cast<std::size_t>(column) * height, height);
    };
    for (int column = 0; column < columns; ++column) {
      for (const Envelope& envelope : envelopes) envelope.blendColumn(left + column, drawn(column));
      for (const Envelope& envelope : envelopes) envelope.drawLineColumn(left + column, drawn(column));
    }
    turn(upright, height, columns, pixels + left, stride);
  }
  return image;
}

}  // namespace tcpscope
