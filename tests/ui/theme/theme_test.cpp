#include "ui/theme/theme.h"

#include <gtest/gtest.h>

namespace tcpscope {

static void PrintTo(Appearance appearance, std::ostream* out) {
  *out << (appearance == Appearance::light ? "light" : "dark");
}

namespace {

constexpr double kText = 4.5;
constexpr double kGraphics = 3.0;

class ThemeContrast : public testing::TestWithParam<Appearance> {};

TEST_P(ThemeContrast, TextContrastsWithEveryBackground) {
  const QPalette palette = themePalette(GetParam());
  for (const auto background : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button}) {
    EXPECT_GE(contrastRatio(palette.color(QPalette::Text), palette.color(background)), kText) << background;
    EXPECT_GE(contrastRatio(quietTextColor(GetParam()), palette.color(background)), kText) << background;
  }
  EXPECT_GE(contrastRatio(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)), kText);
  EXPECT_GE(contrastRatio(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase)), kText);
  for (const auto state : {EntryState::good, EntryState::incomplete, EntryState::wrong, EntryState::neutral})
    EXPECT_GE(contrastRatio(palette.color(QPalette::Text), entryBackground(state, GetParam())), kText);
}

TEST_P(ThemeContrast, LimitsTracesAndSeveritiesContrastWithTablesAndPlots) {
  const QPalette palette = themePalette(GetParam());
  for (const auto background : {QPalette::Base, QPalette::AlternateBase, QPalette::Window}) {
    const QColor ground = palette.color(background);
    for (const Limit limit : kLimits) EXPECT_GE(contrastRatio(limitColor(limit, GetParam()), ground), kGraphics);
    for (int trace = 0; trace < kTraceStyleCount; ++trace)
      EXPECT_GE(contrastRatio(traceColor(trace, GetParam()), ground), kGraphics) << trace;
    for (const auto severity : {FindingSeverity::note, FindingSeverity::warning, FindingSeverity::problem})
      EXPECT_GE(contrastRatio(severityColor(severity, GetParam()), ground), kGraphics);
    EXPECT_GE(contrastRatio(cursorColor(GetParam()), ground), kGraphics);
    EXPECT_GE(contrastRatio(axisColor(GetParam()), ground), kText);
  }
}

TEST_P(ThemeContrast, IsRecognisedByItsPalette) {
  EXPECT_EQ(appearanceOf(themePalette(GetParam())), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Themes, ThemeContrast, testing::Values(Appearance::light, Appearance::dark));

TEST(Theme, GivesEachTraceItsOwnColour) {
  for (int a = 0; a < kTraceStyleCount; ++a) {
    for (int b = a + 1; b < kTraceStyleCount; ++b)
      EXPECT_NE(traceColor(a, Appearance::light), traceColor(b, Appearance::light));
  }
}

}  // namespace
}  // namespace tcpscope
