#include "ui/plots/pixel_blend.h"

#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

QRgb premultiplied(QColor color) {
  color.setAlpha(kBlendOpacity);
  return qPremultiply(color.rgba());
}

/// Some pixels of all shades, premultiplied.
std::vector<QRgb> shades(std::size_t count) {
  std::vector<QRgb> pixels;
  for (unsigned number = 0; pixels.size() < count; ++number)
    pixels.push_back(qPremultiply(qRgba(static_cast<int>(number * 37 % 256), static_cast<int>(number * 101 % 256),
                                        static_cast<int>(number * 11 % 256), static_cast<int>(number * 59 % 256))));
  return pixels;
}

TEST(PixelBlend, GivesAPixelTheSameInRunsOfEveryLength) {
  const QRgb color = premultiplied(QColor(200, 90, 30));
  for (std::size_t length = 0; length < 70; ++length) {
    std::vector<QRgb> together = shades(length);
    std::vector<QRgb> alone = together;
    blend(together, color);
    for (QRgb& pixel : alone) blend({&pixel, 1}, color);
    EXPECT_EQ(together, alone) << length;
  }
}

TEST(PixelBlend, KeepsFiveEighthsOfWhatIsBelow) {
  const QRgb color = premultiplied(QColor(200, 90, 30));
  for (const QRgb below : shades(300)) {
    QRgb pixel = below;
    blend({&pixel, 1}, color);
    const auto expected = [](int before, int gain) { return before * 5.0 / 8.0 + gain; };
    EXPECT_NEAR(qRed(pixel), expected(qRed(below), qRed(color)), 2.0);
    EXPECT_NEAR(qGreen(pixel), expected(qGreen(below), qGreen(color)), 2.0);
    EXPECT_NEAR(qBlue(pixel), expected(qBlue(below), qBlue(color)), 2.0);
    EXPECT_NEAR(qAlpha(pixel), expected(qAlpha(below), qAlpha(color)), 2.0);
  }
}

}  // namespace
}  // namespace tcpscope
