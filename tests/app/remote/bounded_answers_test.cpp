#include "app/remote/bounded_answers.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// One connection, whose program answers at once.
class BoundedAnswersTest : public testing::Test {
protected:
  void samplesShow(std::uint32_t inode, std::uint64_t cookie = 7) {
    ObservationBatch batch;
    SocketObservation socket = test::ObservationBuilder().cookie(cookie).build();
    socket.inode = inode;
    batch.changed.push_back(socket);
    m_answers.note(batch);
  }
  void forget(PlaceId place) { m_answers.forget(place); }
  /// What is asked once so much time has passed.
  ProcessQuestions askedAfter(Nanoseconds time) {
    m_now = m_now + time;
    m_asked = {};
    m_answers.answer();
    return m_asked;
  }

private:
  ObservationBatch answer(const ProcessQuestions& questions) {
    m_asked = questions;
    ObservationBatch answers;
    for (const OwnerQuestion& question : questions.owners) {
      Owner owner;
      owner.pid = 42;
      answers.owners.push_back({question.id, owner});
    }
    return answers;
  }

  Moment m_now = Moment() + 1h;
  ProcessQuestions m_asked;
  BoundedAnswers m_answers{
      [this](const ProcessQuestions& questions, const std::stop_token&) { return answer(questions); },
      [this] { return m_now; }};
};

TEST_F(BoundedAnswersTest, AskNoMoreAboutAPlaceThatHasGone) {
  samplesShow(5);
  EXPECT_EQ(askedAfter(0s).owners.size(), 1U);
  forget(PlaceId{0});
  samplesShow(5, 8);
  const ProcessQuestions asked = askedAfter(1s);
  EXPECT_TRUE(asked.liveOptions.empty());
  EXPECT_EQ(asked.closed.size(), 1U) << "the answers forget it, too";
  forget(PlaceId{1});
  EXPECT_EQ(askedAfter(1s).liveOptions.size(), 1U) << "of another place";
}

TEST_F(BoundedAnswersTest, AskForTheOwnerAndThenForWhatItSetAndWaitsFor) {
  samplesShow(5);
  EXPECT_EQ(askedAfter(0s).owners.size(), 1U);
  const ProcessQuestions asked = askedAfter(1s);
  ASSERT_EQ(asked.liveOptions.size(), 1U);
  EXPECT_EQ(asked.liveOptions[0].pid, 42);
  EXPECT_EQ(asked.liveOptions[0].inode, 5U);
  ASSERT_EQ(asked.waits.size(), 1U);
  EXPECT_EQ(asked.waits[0].pid, 42);
}

TEST_F(BoundedAnswersTest, AskForWaitsMoreOftenThanForOptions) {
  samplesShow(5);
  askedAfter(0s);
  askedAfter(1s);
  samplesShow(5);
  const ProcessQuestions soon = askedAfter(1s);
  EXPECT_TRUE(soon.liveOptions.empty());
  EXPECT_EQ(soon.waits.size(), 1U);
  samplesShow(5);
  EXPECT_EQ(askedAfter(5s).liveOptions.size(), 1U);
}

TEST_F(BoundedAnswersTest, AskAboutEveryOneOfManyThatKeepChanging) {
  constexpr std::uint64_t kSockets = 100;
  const auto allChange = [this] {
    for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) samplesShow(5, cookie);
  };
  allChange();
  askedAfter(0s);
  std::set<ConnectionId> asked;
  for (int round = 0; round < 6; ++round) {
    allChange();
    for (const WaitsQuestion& question : askedAfter(1s).waits) asked.insert(question.id);
  }
  EXPECT_EQ(asked.size(), kSockets);
}

TEST_F(BoundedAnswersTest, AskNothingAboutWhatDoesNotChange) {
  samplesShow(5);
  askedAfter(0s);
  askedAfter(1s);
  EXPECT_TRUE(askedAfter(10s).empty());
}

}  // namespace
}  // namespace tcpscope
