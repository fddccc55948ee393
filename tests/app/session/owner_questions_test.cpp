#include "app/session/owner_questions.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

constexpr ConnectionId kSocket{PlaceId{0}, 7};
constexpr std::uint32_t kInode = 1234;

ObservationBatch appears(ConnectionId id) {
  ObservationBatch batch;
  SocketObservation socket;
  socket.id = id;
  socket.inode = kInode;
  batch.changed.push_back(socket);
  return batch;
}

ObservationBatch closes(ConnectionId id) {
  ObservationBatch batch;
  batch.closed.push_back({id, Moment(), {}});
  return batch;
}

TEST(OwnerQuestions, AsksOnceForTheOwnerOfASocket) {
  OwnerQuestions questions;
  questions.note(appears(kSocket));
  questions.note(appears(kSocket));
  const ProcessQuestions taken = questions.take();
  ASSERT_EQ(taken.owners.size(), 1U);
  EXPECT_EQ(taken.owners[0].id, kSocket);
  EXPECT_EQ(taken.owners[0].inode, kInode);
  questions.note(appears(kSocket));
  EXPECT_TRUE(questions.take().empty());
}

TEST(OwnerQuestions, ReportsTheEndOfASocketThatItAskedFor) {
  OwnerQuestions questions;
  questions.note(appears(kSocket));
  questions.take();
  questions.note(closes(kSocket));
  EXPECT_EQ(questions.take().closed, std::vector<ConnectionId>{kSocket});
}

// Its owner would be searched for ever.
TEST(OwnerQuestions, DoNotAskForASocketThatClosedWhileItsQuestionWaited) {
  OwnerQuestions questions;
  questions.note(appears(kSocket));
  questions.note(closes(kSocket));
  EXPECT_TRUE(questions.empty());
}

}  // namespace
}  // namespace tcpscope
