#include "app/pdf/pdf_paper.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using Lines = std::vector<std::string>;

class PdfPaperTest : public testing::Test {
protected:
  PdfPaper paper{"title", "origin", 0};
  TextStyle style;

  [[nodiscard]] Lines broken(std::string_view text, double width) const { return paper.broken(text, width, style); }
  [[nodiscard]] double widthOf(std::string_view text) const { return paper.widthOf(text, style); }
};

TEST_F(PdfPaperTest, BreaksLinesAtBlanks) {
  const double width = widthOf("the receive window") + 1.0;
  EXPECT_EQ(broken("the receive window is full and stays full", width),
            (Lines{"the receive window", "is full and stays full"}));
  EXPECT_EQ(broken("", width), Lines{""});
}

TEST_F(PdfPaperTest, KeepsIndentation) {
  EXPECT_EQ(broken("  two blanks", 300.0), Lines{"  two blanks"});
}

TEST_F(PdfPaperTest, BreaksInsideAWordThatIsLongerThanALine) {
  const std::string word(100, 'x');
  const Lines lines = broken("a " + word + " b", 100.0);
  std::string joined;
  for (const std::string& line : lines) {
    EXPECT_LE(widthOf(line), 100.0);
    joined += line;
  }
  EXPECT_EQ(lines.front(), "a");
  EXPECT_EQ(joined, "a" + word + " b");
}

TEST_F(PdfPaperTest, TakesOneCharacterPerLineWhereNoneFits) {
  EXPECT_EQ(broken("aΩ", 1.0), (Lines{"a", "Ω"}));
}

}  // namespace
}  // namespace tcpscope
