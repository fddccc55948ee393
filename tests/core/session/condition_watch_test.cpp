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
  explicit ConditionWatchTest(Nanoseconds holdOff = Nanoseconds(0)) : m_watch(holdOff) {
    SessionControl control;
    control.filter = *ConnectionFilter::parse("rtt > 50ms");
    m_session.setControl(control);
  }

  /// Cookies of those that are named after one more second with these RTTs.
  std::vector<std::uint64_t> namedAt(Milliseconds first, Milliseconds second) {
    m_now += 1s;
    ObservationBatch batch;
    batch.changed.push_back(sample(1, first));
    batch.changed.push_back(sample(2, second));
    batch.dumpEndedAt = batch.changed.back().takenAt;
    m_session.accept(batch);
    std::vector<std::uint64_t> cookies;
    for (const ConnectionRow& row : m_watch.begun(*m_session.tick(*batch.dumpEndedAt))) {
      cookies.push_back(row.id.cookie);
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

  AnalysisSession m_session;
  ConditionWatch m_watch;
  std::chrono::seconds m_now{0};
};

class HeldOffConditionTest : public ConditionWatchTest {
protected:
  HeldOffConditionTest() : ConditionWatchTest(5s) {}
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

}  // namespace
}  // namespace tcpscope
