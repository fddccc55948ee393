#include "ui/window/checked_style.h"

#include <gtest/gtest.h>

#include <QToolButton>
#include <algorithm>

#include "ui/theme/theme.h"

namespace tcpscope {
namespace {

/// The largest contrast of a picture's pixels to the window.
double contrastOf(const QImage& image, const QColor& window) {
  double largest = 0.0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) largest = std::max(largest, contrastRatio(image.pixelColor(x, y), window));
  }
  return largest;
}

/// Without a text, which has more contrast than any frame.
QImage pictureOf(bool isChecked, Appearance appearance, QStyle& style) {
  QToolButton button;
  button.setStyle(&style);
  button.setPalette(themePalette(appearance));
  button.setCheckable(true);
  button.setChecked(isChecked);
  button.resize(80, 24);
  return button.grab().toImage();
}

TEST(CheckedStyle, AToolButtonShowsThatItIsCheckedInEitherAppearance) {
  constexpr double kContrastOfGraphics = 3.0;  // WCAG 2.1, 1.4.11
  CheckedStyle style;
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    const QColor window = themePalette(appearance).color(QPalette::Window);
    EXPECT_GE(contrastOf(pictureOf(true, appearance, style), window), kContrastOfGraphics);
    EXPECT_LT(contrastOf(pictureOf(false, appearance, style), window), kContrastOfGraphics);
  }
}

}  // namespace
}  // namespace tcpscope
