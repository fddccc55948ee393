#include "ui/models/listener_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

struct DrawnListener {
  std::uint16_t port;
  std::uint64_t waiting;
  std::uint64_t allowed;
};

/// What the analysis makes of these listeners.
SnapshotPointer snapshotWith(const std::vector<DrawnListener>& listeners) {
  AnalysisSession session;
  ObservationBatch batch;
  for (const DrawnListener& drawn : listeners) {
    SocketObservation socket = test::ObservationBuilder().cookie(drawn.port).build();
    socket.state = TcpState::listen;
    socket.local.port = drawn.port;
    socket.receiveQueue = Bytes(drawn.waiting);
    socket.sendQueue = Bytes(drawn.allowed);
    batch.changed.push_back(socket);
  }
  session.accept(batch);
  return session.tick(Moment::fromNanoseconds(1'000'000'000));
}

QString cell(const ListenerModel& model, int row, ListenerColumn column) {
  return model.index(row, static_cast<int>(column)).data().toString();
}

TEST(ListenerModel, ListsListenersThatLoseConnectionsFirstWithTheReason) {
  ListenerModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotWith({{80, 0, 128}, {8080, 129, 128}}));
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_TRUE(cell(model, 0, ListenerColumn::local).endsWith(":8080"));
  EXPECT_EQ(cell(model, 0, ListenerColumn::waiting), "129");
  EXPECT_EQ(cell(model, 0, ListenerColumn::allowed), "128");
  EXPECT_TRUE(cell(model, 0, ListenerColumn::finding).contains("backlog"));
  EXPECT_EQ(cell(model, 1, ListenerColumn::finding), "");
}

TEST(ListenerModel, KeepsItsRowsWhileTheSameListenersChange) {
  ListenerModel model;
  model.setSnapshot(snapshotWith({{80, 0, 128}, {443, 0, 128}}));
  const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  model.setSnapshot(snapshotWith({{80, 3, 128}, {443, 0, 128}}));
  EXPECT_EQ(resets.count(), 0);
  EXPECT_EQ(changes.count(), 1);
  EXPECT_EQ(cell(model, 0, ListenerColumn::waiting), "3");
}

}  // namespace
}  // namespace tcpscope
