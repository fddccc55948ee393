#include "ui/plots/step_columns.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tcpscope {
namespace {

Moment stepAt(std::int64_t milliseconds) {
  return Moment::fromNanoseconds(milliseconds * 1'000'000);
}

TEST(StepColumns, KeepsTheExtremesAndTheLastOfEachColumn) {
  StepColumns columns(10, {stepAt(0), stepAt(100)});
  for (const auto& [time, value] : {std::pair{12, 5.0}, {14, 9.0}, {18, 7.0}}) columns.add(stepAt(time), value);
  const StepColumn& column = columns.columns()[1];
  EXPECT_EQ(column.smallest, 5.0);
  EXPECT_EQ(column.largest, 9.0);
  EXPECT_EQ(column.last, 7.0);
  EXPECT_TRUE(std::isnan(columns.columns()[0].last));
}

TEST(StepColumns, TakesTheLaterOfTwoSourcesForTheLast) {
  StepColumns columns(10, {stepAt(0), stepAt(100)});
  columns.add(stepAt(18), 7.0);
  columns.add(stepAt(12), 5.0);
  EXPECT_EQ(columns.columns()[1].last, 7.0);
}

TEST(StepColumns, StartsWithTheValueBeforeTheScreen) {
  StepColumns columns(10, {stepAt(100), stepAt(200)});
  columns.add(stepAt(50), 3.0);
  columns.add(stepAt(90), 4.0);
  EXPECT_EQ(columns.before(), 4.0);
  EXPECT_EQ(columns.largest(), 4.0);
  columns.add(stepAt(500), 100.0);
  EXPECT_EQ(columns.largest(), 4.0);
}

TEST(StepColumns, ABlockCountsInTheColumnsOfItsEnds) {
  StepColumns columns(10, {stepAt(0), stepAt(100)});
  columns.addBlock(stepAt(19), stepAt(21), 1.0, 8.0, 2.0);
  EXPECT_EQ(columns.columns()[1].largest, 8.0);
  EXPECT_EQ(columns.columns()[2].smallest, 1.0);
  EXPECT_EQ(columns.columns()[2].last, 2.0);
}

}  // namespace
}  // namespace tcpscope
