#include "ui/models/problem_model.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace tcpscope {
namespace {

Problem problem(ProblemKind kind, std::size_t count) {
  Problem one;
  one.kind = kind;
  one.count = count;
  one.endpoint = {IpAddress::v4({192, 0, 2, 7}), 443};
  one.connections = {{PlaceId{0}, count}};
  return one;
}

SnapshotPointer snapshotOf(std::vector<Problem> problems) {
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->problems = std::make_shared<const std::vector<Problem>>(std::move(problems));
  return snapshot;
}

QString cell(const ProblemModel& model, int row, ProblemColumn column) {
  return model.data(model.index(row, static_cast<int>(column)), Qt::DisplayRole).toString();
}

TEST(ProblemModel, AProblemIsARow) {
  ProblemModel model;
  model.setSnapshot(snapshotOf({problem(ProblemKind::unansweredOpening, 3)}));
  ASSERT_EQ(model.rowCount(), 1);
  EXPECT_EQ(cell(model, 0, ProblemColumn::subject), "192.0.2.7:443");
  EXPECT_EQ(cell(model, 0, ProblemColumn::problem), "3 connection attempts unanswered");
  EXPECT_FALSE(cell(model, 0, ProblemColumn::nextStep).isEmpty());
}

TEST(ProblemModel, TheSameProblemsKeepTheirRows) {
  ProblemModel model;
  model.setSnapshot(snapshotOf({problem(ProblemKind::unansweredOpening, 3)}));
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  model.setSnapshot(snapshotOf({problem(ProblemKind::unansweredOpening, 4)}));
  EXPECT_EQ(resets.count(), 0);
  EXPECT_EQ(changes.count(), 1);
}

Problem ofPeer(std::uint8_t lastByte, std::size_t count) {
  Problem one = problem(ProblemKind::unansweredOpening, count);
  one.endpoint.address = IpAddress::v4({192, 0, 2, lastByte});
  return one;
}

TEST(ProblemModel, AProblemKeepsItsRowThoughAnotherGetsWorse) {
  ProblemModel model;
  model.setSnapshot(snapshotOf({ofPeer(1, 5), ofPeer(2, 3)}));
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  model.setSnapshot(snapshotOf({ofPeer(3, 9), ofPeer(2, 7), ofPeer(1, 5)}));
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 0, ProblemColumn::subject), "192.0.2.1:443");
  EXPECT_EQ(cell(model, 1, ProblemColumn::subject), "192.0.2.2:443");
  EXPECT_EQ(cell(model, 2, ProblemColumn::subject), "192.0.2.3:443") << "the new one";
  EXPECT_EQ(resets.count(), 0);
}

TEST(ProblemModel, WhatIsOverLeavesAndTheOthersStay) {
  ProblemModel model;
  model.setSnapshot(snapshotOf({ofPeer(1, 5), ofPeer(2, 3)}));
  model.setSnapshot(snapshotOf({problem(ProblemKind::closeWait, 4), ofPeer(2, 3)}));
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(cell(model, 0, ProblemColumn::subject), "192.0.2.2:443") << "an unanswered attempt is worse";
}

TEST(ProblemModel, TakesListenersThatShareAPort) {
  Problem full = problem(ProblemKind::acceptQueueOverflow, 129);
  full.connections.clear();
  ProblemModel model;
  model.setSnapshot(snapshotOf({full, full}));
  EXPECT_EQ(model.rowCount(), 2);
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  model.setSnapshot(snapshotOf({full}));
  EXPECT_EQ(model.rowCount(), 1);
  EXPECT_EQ(resets.count(), 1) << "which of them is over is not known";
}

TEST(ProblemModel, TakesManyAtOnce) {
  // A scan of a network without hosts.
  std::vector<Problem> scan;
  for (int host = 0; host < 10'000; ++host) {
    scan.push_back(ofPeer(1, 1));
    scan.back().endpoint.address =
        IpAddress::v4({10, 0, static_cast<std::uint8_t>(host / 256), static_cast<std::uint8_t>(host % 256)});
  }
  ProblemModel model;
  const QSignalSpy insertions(&model, &QAbstractItemModel::rowsInserted);
  const QSignalSpy removals(&model, &QAbstractItemModel::rowsRemoved);
  model.setSnapshot(snapshotOf(scan));
  model.setSnapshot(snapshotOf({scan[5'000]}));
  EXPECT_EQ(model.rowCount(), 1);
  EXPECT_EQ(insertions.count(), 1) << "rows come in runs";
  EXPECT_EQ(removals.count(), 2);
}

TEST(ProblemModel, TheSeverityIsAWord) {
  ProblemModel model;
  model.setSnapshot(snapshotOf({ofPeer(1, 5)}));
  EXPECT_EQ(cell(model, 0, ProblemColumn::severity), "problem");
}

TEST(ProblemAlert, NamesAFullAcceptQueue) {
  Problem full = problem(ProblemKind::acceptQueueOverflow, 129);
  full.capacity = 128;
  full.connections.clear();
  EXPECT_TRUE(problemAlert({full}).startsWith("192.0.2.7:443: "));
}

TEST(ProblemAlert, NamesTheProblemsAndNoWarnings) {
  Problem warning = problem(ProblemKind::finWait, 2);
  warning.severity = FindingSeverity::warning;
  EXPECT_EQ(problemAlert({warning}), "");
  EXPECT_EQ(problemAlert({problem(ProblemKind::unansweredOpening, 1), warning}),
            "192.0.2.7:443: 1 connection attempt unanswered");
}

}  // namespace
}  // namespace tcpscope
