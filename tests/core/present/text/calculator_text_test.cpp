#include "core/present/text/calculator_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace tcpscope {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// The path of Web100's paper.
StatedFigures web100Path() {
  StatedFigures figures;
  figures.rttSeconds = 0.02;
  figures.lossEventRatio = 0.001;
  figures.rate = BitsPerSecond(411e6);
  figures.windowBytes = 65'535.0;
  figures.mss = Bytes(1448);
  figures.mtu = Bytes(1500);
  figures.otherMtu = Bytes(9000);
  return figures;
}

CalculatorRow rowWith(const StatedFigures& figures, std::string_view title) {
  for (const CalculatorRow& row : calculatorRows(figures)) {
    if (row.title.starts_with(title)) return row;
  }
  ADD_FAILURE() << title;
  return {};
}

TEST(CalculatorText, HasTheResultsOfCalcWithEquationAndSource) {
  const StatedFigures figures = web100Path();
  EXPECT_EQ(rowWith(figures, "Window for the rate").result, "1003 KiB (1,027,500 bytes)");
  EXPECT_EQ(rowWith(figures, "Rate that the window allows").result, "at most 26.2 Mbit/s");
  const CalculatorRow mathis = rowWith(figures, "Rate at this loss, Reno (Mathis)");
  EXPECT_EQ(mathis.result, "at most 22.4 Mbit/s");
  EXPECT_EQ(mathis.equation, "rate ≤ MSS / RTT × C / √p");
  EXPECT_THAT(mathis.details, Contains(HasSubstr("equation (1)")));
  EXPECT_THAT(rowWith(figures, "Loss that the rate tolerates").result, HasSubstr("%: one loss event in "));
  EXPECT_EQ(rowWith(figures, "Rate with the other MTU").result, "at most 139 Mbit/s (6.18 times)");
}

TEST(CalculatorText, NamesWhatIsMissingInsteadOfAFigure) {
  StatedFigures figures;
  for (const CalculatorRow& row : calculatorRows(figures)) {
    EXPECT_FALSE(row.isKnown);
    EXPECT_THAT(row.result, testing::StartsWith("needs "));
    EXPECT_FALSE(row.equation.empty());
  }
  figures.rttSeconds = 0.02;
  EXPECT_EQ(rowWith(figures, "Rate at this loss, CUBIC").result, "needs loss and MSS");
  figures.mtu = Bytes(1500);
  figures.otherMtu = Bytes(9000);
  EXPECT_EQ(rowWith(figures, "Rate with the other MTU").result, "6.18 times the rate, where loss limits it");
}

TEST(CalculatorText, SaysWhereTimeoutsRule) {
  StatedFigures figures = web100Path();
  figures.lossEventRatio = 0.05;
  EXPECT_THAT(rowWith(figures, "Rate at this loss, Reno (Mathis)").result, HasSubstr("PFTK holds"));
}

TEST(CalculatorText, WhatIsTypedIsReadAgainAndEmptyStaysUnknown) {
  StatedFigures figures = web100Path();
  figures.lossEventRatio = 0.000294;
  figures.rate = BitsPerSecond(41.3e6);
  StatedFigures typed;
  for (const CalculatorField field : kCalculatorFields) EXPECT_TRUE(takeTyped(typed, field, typedText(figures, field)));
  EXPECT_NEAR(typed.lossEventRatio.value(), 0.000294, 1e-12);
  EXPECT_NEAR(typed.rate.value().value(), 41.3e6, 1.0);
  EXPECT_EQ(typed.mss, figures.mss);
  EXPECT_EQ(typed.windowBytes, figures.windowBytes);
  for (const CalculatorField field : kCalculatorFields) {
    EXPECT_EQ(typedText({}, field), "");
    EXPECT_TRUE(takeTyped(typed, field, " "));
    EXPECT_FALSE(takeTyped(typed, field, "some"));
  }
  EXPECT_EQ(typed, StatedFigures());
  EXPECT_EQ(hint(CalculatorField::rtt), "RTT takes a time from 1us to 1h such as 20ms.");
}

}  // namespace
}  // namespace tcpscope
