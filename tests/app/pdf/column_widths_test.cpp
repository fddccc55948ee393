#include "app/pdf/column_widths.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tcpscope {
namespace {

constexpr double kBetween = 8;

/// Every character is five points wide.
double fivePerCharacter(const std::string& text, CellKind /*kind*/) {
  return 5.0 * static_cast<double>(text.size());
}

std::vector<double> widthsOf(const ReportTable& table, double width) {
  return columnWidths(table, width, kBetween, fivePerCharacter);
}

double sumOf(const std::vector<double>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0.0);
}

TEST(ColumnWidths, GiveEveryWordAndFigureItsRoomBesideALongText) {
  std::string words;
  for (int index = 0; index < 100; ++index) words += "several ";
  const auto widths = widthsOf({"", {"No.", "Confidence", "Value", "Text"}, {{"1", "90 %", "47616 B", words}}}, 400);
  EXPECT_NEAR(sumOf(widths), 400, 0.01);
  EXPECT_GE(widths[1], 5 * 10 + kBetween) << "Confidence";
  EXPECT_GE(widths[2], 5 * 7 + kBetween) << "47616 B";
  EXPECT_GT(widths[3], 200) << "the widest column gets the most";
}

TEST(ColumnWidths, NarrowTheLongestWordsWhereNotAllFit) {
  const auto widths = widthsOf({"", {"Name", "Value"}, {{std::string(500, 'x'), "12345678"}}}, 200);
  EXPECT_NEAR(sumOf(widths), 200, 0.01);
  EXPECT_GE(widths[1], 5 * 8 + kBetween);
}

TEST(ColumnWidths, FillTheWidth) {
  EXPECT_NEAR(sumOf(widthsOf({"", {"A", "B"}, {{"1", "2"}}}, 300)), 300, 0.01);
  EXPECT_NEAR(sumOf(widthsOf({"", {"", ""}, {}}, 300)), 300, 0.01);
}

}  // namespace
}  // namespace tcpscope
