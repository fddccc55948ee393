#include "core/session/condition_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// Two connections, sampled once a second, watched for an RTT above 50 ms.
class ConditionWatchTest : public testing::Test {
protected:
  explicit ConditionWatchTest(Nanoseconds holdOff = Nanoseconds(0), bool countsPresent = true) {
    m_control.trigger = {1, *ConnectionFilter::parse("rtt > 50ms"), holdOff, countsPresent};
    m_session.setControl(m_control);
  }

  void armAgain() {
    ++m_control.trigger->number;
    m_session.setControl(m_control);
    m_until = 0;
  }

  /// Cookies of those that are named after one more second with these RTTs.
  std::vector<std::uint64_t> namedAt(Milliseconds first, Milliseconds second) { return namedAt({first, second}); }

  std::vector<std::uint64_t> namedAt(const std::vector<Milliseconds>& rtts) {
    m_now += 1s;
    ObservationBatch batch;
    for (std::size_t index = 0; index < rtts.size(); ++index) batch.changed.push_back(sample(index + 1, rtts[index]));
    batch.dumpEndedAt = batch.changed.back().takenAt;
    m_session.accept(batch);
    const auto snapshot = m_session.tick(*batch.dumpEndedAt);
    std::vector<std::uint64_t> cookies;
    for (const TriggeredConnection& one : snapshot->triggered) {
      if (one.number <= m_until) continue;
      m_until = one.number;
      EXPECT_EQ(snapshot->id(one.slot), one.connection);
      EXPECT_EQ(one.at, *batch.dumpEndedAt);
      cookies.push_back(one.connection.cookie);
    }
    return cookies;
  }

private:
  [[nodiscard]] SocketObservation sample(std::uint64_t cookie, Milliseconds rtt) const {
    return test::ObservationBuilder()
        .cookie(cookie)
        .local("192.0.2.1", static_cast<std::uint16_t>(4000 + cookie))
        .at(m_now)
        .rtt(rtt, 5ms)
        .build();
  }

  SessionControl m_control;
  AnalysisSession m_session;
  std::uint64_t m_until = 0;
  std::chrono::seconds m_now{0};
};

class HeldOffConditionTest : public ConditionWatchTest {
protected:
  HeldOffConditionTest() : ConditionWatchTest(5s) {}
};

class ArmedLaterTest : public ConditionWatchTest {
protected:
  ArmedLaterTest() : ConditionWatchTest(0s, false) {}
};

TEST_F(ConditionWatchTest, NamesAConnectionOnceItBeginsToSatisfyIt) {
  EXPECT_THAT(namedAt(10ms, 10ms), IsEmpty());
  EXPECT_THAT(namedAt(10ms, 60ms), ElementsAre(2U));
  EXPECT_THAT(namedAt(10ms, 70ms), IsEmpty()) << "not while it goes on";
  EXPECT_THAT(namedAt(60ms, 70ms), ElementsAre(1U));
}

TEST_F(ConditionWatchTest, NamesItAgainAfterItDidNotSatisfyIt) {
  EXPECT_THAT(namedAt(60ms, 10ms), ElementsAre(1U));
  EXPECT_THAT(namedAt(10ms, 10ms), IsEmpty());
  EXPECT_THAT(namedAt(60ms, 10ms), ElementsAre(1U));
}

TEST_F(HeldOffConditionTest, NamesAConnectionThatComesAndGoesNotMoreOftenThanThat) {
  EXPECT_THAT(namedAt(60ms, 10ms), ElementsAre(1U));
  for (int flap = 0; flap < 2; ++flap) {
    EXPECT_THAT(namedAt(10ms, 10ms), IsEmpty());
    EXPECT_THAT(namedAt(60ms, 10ms), IsEmpty()) << "within the hold-off";
  }
  EXPECT_THAT(namedAt(10ms, 10ms), IsEmpty());
  EXPECT_THAT(namedAt(60ms, 10ms), ElementsAre(1U));
}

TEST_F(ArmedLaterTest, LeavesOutWhatWasThereWhenItWasArmed) {
  EXPECT_THAT(namedAt(60ms, 10ms), IsEmpty());
  EXPECT_THAT(namedAt(60ms, 60ms), ElementsAre(2U));
  armAgain();
  EXPECT_THAT(namedAt(60ms, 60ms), IsEmpty());
  EXPECT_THAT(namedAt(10ms, 60ms), IsEmpty());
  EXPECT_THAT(namedAt(60ms, 60ms), ElementsAre(1U));
}

TEST_F(ArmedLaterTest, NamesANewConnectionThatMatchesAtFirstSight) {
  EXPECT_THAT(namedAt(10ms, 10ms), IsEmpty());
  EXPECT_THAT(namedAt({10ms, 10ms, 60ms}), ElementsAre(3U));
}

TEST_F(ConditionWatchTest, NamesAllOfManyThatBeginAtOnce) {
  const std::size_t many = 3 * kMostTriggered;
  EXPECT_THAT(namedAt(std::vector<Milliseconds>(many, 60ms)), testing::SizeIs(many));
  EXPECT_THAT(namedAt(std::vector<Milliseconds>(many, 60ms)), IsEmpty());
}

TEST_F(ConditionWatchTest, DoesNotDependOnWhatTheListShows) {
  SessionControl control;
  control.filter = *ConnectionFilter::parse("rtt < 1ms");
  control.trigger = {1, *ConnectionFilter::parse("rtt > 50ms")};
  AnalysisSession session;
  session.setControl(control);
  ObservationBatch batch;
  batch.changed.push_back(test::ObservationBuilder().rtt(60ms, 5ms).build());
  session.accept(batch);
  session.tick(batch.changed.back().takenAt);
  batch.changed.back() = test::ObservationBuilder().at(1s).rtt(10ms, 5ms).build();
  session.accept(batch);
  session.tick(batch.changed.back().takenAt);
  batch.changed.back() = test::ObservationBuilder().at(2s).rtt(60ms, 5ms).build();
  session.accept(batch);
  const auto snapshot = session.tick(batch.changed.back().takenAt);
  EXPECT_THAT(*snapshot->order, IsEmpty());
  EXPECT_THAT(snapshot->triggered, testing::SizeIs(1));
}

}  // namespace
}  // namespace tcpscope
