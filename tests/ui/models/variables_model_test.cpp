#include "ui/models/variables_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "tests/ui/support/detail_drawing.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::detailOf;
using test::ObservationBuilder;
using test::snapshotWithDetail;

QString cell(const VariablesModel& model, Metric metric, VariableColumn column) {
  return model.index(static_cast<int>(metric), static_cast<int>(column)).data().toString();
}

TEST(VariablesModel, HasARowForEveryMetricWithItsExplanation) {
  VariablesModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  ASSERT_EQ(model.rowCount(), static_cast<int>(kMetricCount));
  for (int row = 0; row < model.rowCount(); ++row) {
    const QModelIndex index = model.index(row, static_cast<int>(VariableColumn::title));
    EXPECT_FALSE(index.data().toString().isEmpty());
    EXPECT_FALSE(index.data(Qt::ToolTipRole).toString().isEmpty()) << qPrintable(index.data().toString());
  }
  EXPECT_EQ(cell(model, Metric::rtt, VariableColumn::key), "rtt_us");
}

TEST(VariablesModel, IsBlankWithoutAConnection) {
  VariablesModel model;
  model.setDetail(nullptr);
  EXPECT_EQ(cell(model, Metric::rtt, VariableColumn::value), "");
}

TEST(VariablesModel, ShowsValueChangeAndRateOverTheLastSecond) {
  VariablesModel model;
  const auto snapshot = snapshotWithDetail({
      ObservationBuilder().at(milliseconds(0)).acked(0).congestionWindow(80).build(),
      ObservationBuilder().at(milliseconds(1000)).acked(1'000'000).congestionWindow(80).build(),
      ObservationBuilder().at(milliseconds(2000)).acked(3'000'000).congestionWindow(60).build(),
  });
  model.setDetail(&detailOf(snapshot));
  EXPECT_EQ(cell(model, Metric::sndCwnd, VariableColumn::value), "60 segments");
  EXPECT_EQ(cell(model, Metric::sndCwnd, VariableColumn::change), "−20 segments");
  EXPECT_EQ(cell(model, Metric::sndCwnd, VariableColumn::rate), "") << "a gauge has no rate";
  EXPECT_EQ(cell(model, Metric::bytesAcked, VariableColumn::rate), "16.0 Mbit/s");
}

TEST(VariablesModel, ChangesAreBlankUntilASecondHasBeenSeen) {
  VariablesModel model;
  const auto snapshot = snapshotWithDetail({
      ObservationBuilder().at(milliseconds(0)).acked(0).build(),
      ObservationBuilder().at(milliseconds(100)).acked(1'000'000).build(),
  });
  model.setDetail(&detailOf(snapshot));
  EXPECT_EQ(cell(model, Metric::bytesAcked, VariableColumn::change), "");
}

TEST(VariablesModel, MarksVariablesThatTheKernelDoesNotReport) {
  VariablesModel model;
  const auto snapshot = snapshotWithDetail({
      ObservationBuilder().at(milliseconds(0)).reportedBytes(104).build(),
      ObservationBuilder().at(milliseconds(1000)).reportedBytes(104).build(),
  });
  model.setDetail(&detailOf(snapshot));
  EXPECT_EQ(cell(model, Metric::sndWnd, VariableColumn::value), "not reported");
  EXPECT_NE(cell(model, Metric::rtt, VariableColumn::value), "not reported");
}

TEST(VariablesModel, SignalsNothingWhereNothingChanged) {
  VariablesModel model;
  const auto snapshot = snapshotWithDetail({ObservationBuilder().build()});
  model.setDetail(&detailOf(snapshot));
  const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  model.setDetail(&detailOf(snapshot));
  EXPECT_EQ(changes.count(), 0);
}

}  // namespace
}  // namespace tcpscope
