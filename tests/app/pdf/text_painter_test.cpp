#include "app/pdf/text_painter.h"

#include <cairo-pdf.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

class TextPainterTest : public testing::Test {
protected:
  TextPainterTest() : m_surface(cairo_pdf_surface_create_for_stream(nullptr, nullptr, 595, 842)) {
    m_context = cairo_create(m_surface);
    m_text = std::make_unique<TextPainter>(m_context);
  }
  ~TextPainterTest() override {
    m_text.reset();
    cairo_destroy(m_context);
    cairo_surface_destroy(m_surface);
  }
  TextPainterTest(const TextPainterTest&) = delete;
  TextPainterTest& operator=(const TextPainterTest&) = delete;

  [[nodiscard]] TextPainter& text() { return *m_text; }

private:
  cairo_surface_t* m_surface;
  cairo_t* m_context;
  std::unique_ptr<TextPainter> m_text;
};

TEST_F(TextPainterTest, TakesEachCharacterFromAFontThatHasIt) {
  // Of fonts-dejavu-core, only the monospace font has the APL symbols and only the serif font the two-headed arrows.
  for (const std::string_view sample : {"Ελληνικά", "Кириллица", "⌶⌺⍟", "⤀⤁⤅", "nginx ⌶ Ωmega ⤀"}) {
    EXPECT_EQ(text().missingGlyphs(sample, {}), 0) << sample;
    EXPECT_EQ(text().missingGlyphs(sample, {8.5, true, true}), 0) << sample;
  }
}

TEST_F(TextPainterTest, CountsCharactersThatNoFontHas) {
  EXPECT_EQ(text().missingGlyphs("a\U0010FFFDb", {}), 1) << "private use";
}

TEST_F(TextPainterTest, WidthGrowsWithTheTextAndTheSize) {
  EXPECT_EQ(text().widthOf("", {}), 0.0);
  const double narrow = text().widthOf("receive window", {9.5});
  EXPECT_GT(text().widthOf("receive window full", {9.5}), narrow);
  EXPECT_NEAR(text().widthOf("receive window", {19.0}), 2 * narrow, 0.1);
  EXPECT_NEAR(text().widthOf("iiii", {9.5, false, true}), text().widthOf("WWWW", {9.5, false, true}), 0.01);
}

TEST_F(TextPainterTest, TheFittingBeginningFitsAndOneMoreCharacterDoesNot) {
  const std::string word = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (double width = 5.0; width < 200.0; width += 7.0) {
    const std::size_t length = text().fittingBytes(word, width, {});
    EXPECT_TRUE(length == 1 || text().widthOf(word.substr(0, length), {}) <= width) << width;
    EXPECT_TRUE(length == word.size() || text().widthOf(word.substr(0, length + 1), {}) > width) << width;
  }
}

TEST_F(TextPainterTest, TheFittingBeginningIsNeverEmptyAndNeverSplitsACharacter) {
  EXPECT_EQ(text().fittingBytes("", 100.0, {}), 0U);
  EXPECT_EQ(text().fittingBytes("Ωmega", 0.0, {}), 2U);
  EXPECT_EQ(text().fittingBytes("e\u0301e\u0301", 0.0, {}), 3U) << "a letter and its combining accent";
  EXPECT_EQ(text().fittingBytes("⤀⤁", 0.0, {}), 3U);
}

}  // namespace
}  // namespace tcpscope
