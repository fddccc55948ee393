#include "app/remote/bounded_answers.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// One connection, whose program answers at once.
class BoundedAnswersTest : public testing::Test {
protected:
  void samplesShow(std::uint32_t inode) {
    ObservationBatch batch;
    SocketObservation socket = test::ObservationBuilder().cookie(m_id.cookie).build();
    socket.inode = inode;
    batch.changed.push_back(socket);
    m_answers.note(batch);
  }
  /// What is asked once so much time has passed.
  ProcessQuestions askedAfter(Nanoseconds time) {
    m_now = m_now + time;
    m_asked = {};
    m_answers.answer();
    return m_asked;
  }

  const ConnectionId m_id{PlaceId{0}, 7};

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

TEST_F(BoundedAnswersTest, AskNothingAboutWhatDoesNotChange) {
  samplesShow(5);
  askedAfter(0s);
  askedAfter(1s);
  EXPECT_TRUE(askedAfter(10s).empty());
}

}  // namespace
}  // namespace tcpscope
