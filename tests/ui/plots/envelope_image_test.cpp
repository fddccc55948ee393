#include "ui/plots/envelope_image.h"

#include <gtest/gtest.h>

#include <array>

namespace tcpscope {
namespace {

constexpr QSize kSize(4, 6);

TEST(EnvelopeImage, CoversTheRowsOfAColumnAndNothingElse) {
  Envelope envelope(kSize.width(), Qt::red);
  envelope.cover(2, 1, 4);
  const QImage image = envelopeImage(kSize, std::array{envelope});
  for (int x = 0; x < kSize.width(); ++x) {
    for (int y = 0; y < kSize.height(); ++y) {
      const bool covered = x == 2 && y >= 1 && y < 4;
      EXPECT_EQ(image.pixelColor(x, y).alpha() > 0, covered) << x << ", " << y;
    }
  }
  EXPECT_EQ(image.pixelColor(2, 1).red(), 255);
  EXPECT_EQ(image.pixelColor(2, 1).green(), 0);
}

TEST(EnvelopeImage, TwoPointsInOneColumnCoverWhatLiesBetweenThemToo) {
  Envelope envelope(kSize.width(), Qt::red);
  envelope.cover(0, 0, 1);
  envelope.cover(0, 4, 5);
  const QImage image = envelopeImage(kSize, std::array{envelope});
  EXPECT_GT(image.pixelColor(0, 2).alpha(), 0);
  EXPECT_EQ(image.pixelColor(0, 5).alpha(), 0);
}

TEST(EnvelopeImage, DrawsTheLinesAboveAllEnvelopes) {
  Envelope below(kSize.width(), Qt::red);
  below.drawLine(1, 2, 4);
  Envelope above(kSize.width(), Qt::blue);
  above.cover(1, 0, 6);
  const QImage image = envelopeImage(kSize, std::array{below, above});
  EXPECT_EQ(image.pixelColor(1, 2), QColor(Qt::red));
  EXPECT_EQ(image.pixelColor(1, 3), QColor(Qt::red));
  EXPECT_LT(image.pixelColor(1, 4).alpha(), 255);
  EXPECT_EQ(image.pixelColor(0, 2).alpha(), 0);
}

TEST(EnvelopeImage, LeavesOutWhatLiesOutside) {
  Envelope envelope(kSize.width(), Qt::red);
  envelope.cover(-1, 0, 6);
  envelope.cover(4, 0, 6);
  envelope.cover(1, 3, 3);
  envelope.cover(3, -10, 100);
  const QImage image = envelopeImage(kSize, std::array{envelope});
  for (int y = 0; y < kSize.height(); ++y) {
    EXPECT_EQ(image.pixelColor(0, y).alpha(), 0);
    EXPECT_EQ(image.pixelColor(1, y).alpha(), 0);
    EXPECT_GT(image.pixelColor(3, y).alpha(), 0);
  }
}

TEST(EnvelopeImage, TheUpperShinesOverTheLower) {
  Envelope lower(kSize.width(), Qt::red);
  Envelope upper(kSize.width(), Qt::blue);
  lower.cover(0, 0, 2);
  upper.cover(0, 1, 3);
  const QImage image = envelopeImage(kSize, std::array{lower, upper});
  const QColor both = image.pixelColor(0, 1);
  EXPECT_GT(both.blue(), both.red());
  EXPECT_GT(both.red(), 50);
  EXPECT_GT(both.alpha(), image.pixelColor(0, 0).alpha());
}

TEST(EnvelopeImage, ManyLayersOfWhiteStayWhite) {
  std::vector<Envelope> layers(40, Envelope(kSize.width(), Qt::white));
  for (Envelope& layer : layers) layer.cover(0, 0, 1);
  const QRgb pixel = envelopeImage(kSize, layers).pixel(0, 0);
  // What runs over would begin again at black.
  EXPECT_GE(qRed(pixel), 250);
  EXPECT_GE(qGreen(pixel), 250);
  EXPECT_GE(qBlue(pixel), 250);
  EXPECT_GT(qAlpha(pixel), 240);
}

}  // namespace
}  // namespace tcpscope
