#include "ui/plots/envelope_image.h"

#include <algorithm>
#include <limits>

namespace tcpscope {

namespace {

/// Three eighths, rounded down so far that 255 of 255 stay in a byte: 255 - 63 - 31 + 94.
constexpr int kOpacity = 94;

}  // namespace

Envelope::Envelope(int columns, QColor color)
    : m_share(0),
      m_top(static_cast<std::size_t>(columns), std::numeric_limits<int>::max()),
      m_bottom(static_cast<std::size_t>(columns), std::numeric_limits<int>::min()),
      m_highest(std::numeric_limits<int>::max()),
      m_lowest(std::numeric_limits<int>::min()),
      m_lineColor(color.rgb()),
      m_lineTop(m_top),
      m_lineBottom(m_bottom),
      m_lineHighest(m_highest),
      m_lineLowest(m_lowest) {
  color.setAlpha(kOpacity);
  m_share = qPremultiply(color.rgba());
}

void Envelope::cover(int column, int top, int bottom) {
  const auto index = static_cast<std::size_t>(column);
  if (column < 0 || index >= m_top.size() || top >= bottom) return;
  m_top[index] = std::min(m_top[index], top);
  m_bottom[index] = std::max(m_bottom[index], bottom);
  m_highest = std::min(m_highest, top);
  m_lowest = std::max(m_lowest, bottom);
}

void Envelope::drawLine(int column, int top, int bottom) {
  const auto index = static_cast<std::size_t>(column);
  if (column < 0 || index >= m_lineTop.size() || top >= bottom) return;
  m_lineTop[index] = std::min(m_lineTop[index], top);
  m_lineBottom[index] = std::max(m_lineBottom[index], bottom);
  m_lineHighest = std::min(m_lineHighest, top);
  m_lineLowest = std::max(m_lineLowest, bottom);
}

void Envelope::drawLineRow(int y, QRgb* row) const {
  if (y < m_lineHighest || y >= m_lineLowest) return;
  for (std::size_t x = 0; x < m_lineTop.size(); ++x) {
    const QRgb below = row[x];
    const int isOnLine = static_cast<int>(m_lineTop[x] <= y) & static_cast<int>(y < m_lineBottom[x]);
    row[x] = isOnLine != 0 ? m_lineColor : below;
  }
}

void Envelope::blendRow(int y, QRgb* row) const {
  if (y < m_highest || y >= m_lowest) return;
  for (std::size_t x = 0; x < m_top.size(); ++x) {
    // Five eighths of each of the four channels at once; without branches, so that the compiler takes pixels together.
    const QRgb below = row[x];
    const QRgb blended = below - ((below >> 2U) & 0x3f3f3f3fU) - ((below >> 3U) & 0x1f1f1f1fU) + m_share;
    const int isInside = static_cast<int>(m_top[x] <= y) & static_cast<int>(y < m_bottom[x]);
    row[x] = isInside != 0 ? blended : below;
  }
}

QImage envelopeImage(QSize size, std::span<const Envelope> envelopes) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  for (int y = 0; y < image.height(); ++y) {
    auto* const row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (const Envelope& envelope : envelopes) envelope.blendRow(y, row);
    for (const Envelope& envelope : envelopes) envelope.drawLineRow(y, row);
  }
  return image;
}

}  // namespace tcpscope
