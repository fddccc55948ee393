// A transfer before and after a change, the connection the change applies to, and the comparison.
#include "core/session/change_proof.h"

#include <gmock/gmock.h>

#include "core/present/text/comparison_text.h"
#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ObservationBuilder;
using ::testing::HasSubstr;
using State = ChangeProof::State;

/// A client's transfers to one server, looked at ten times a second.
class Transfers {
public:
  Transfers() { follow(1); }
  void follow(std::uint64_t cookie) {
    m_control.followed.insert(idOf(cookie));
    m_session.setControl(m_control);
  }
  /// Lets the connection run at this rate; opens it where it does not exist yet.
  std::shared_ptr<const SessionSnapshot> run(std::uint64_t cookie, Milliseconds span, std::uint64_t bytesPerPoll,
                                             Milliseconds rtt = 20ms) {
    for (const Milliseconds until = m_elapsed + span; m_elapsed < until; m_elapsed += 100ms) {
      std::uint64_t& bytes = m_bytes[cookie];
      // No transfer is perfectly even.
      bytes += bytesPerPoll + static_cast<std::uint64_t>(m_elapsed.count() / 100 % 3) * bytesPerPoll / 50;
      ObservationBatch batch;
      batch.changed.push_back(ObservationBuilder()
                                  .cookie(cookie)
                                  .local("192.0.2.1", static_cast<std::uint16_t>(50'000 + cookie))
                                  .at(m_elapsed)
                                  .rtt(rtt, rtt)
                                  .acked(bytes)
                                  .dataSegmentsOut(static_cast<std::uint32_t>(bytes / 1448))
                                  .build());
      m_now = batch.changed.back().takenAt;
      m_session.accept(batch);
    }
    return m_session.tick(m_now);
  }
  void close(std::uint64_t cookie) {
    ObservationBatch batch;
    batch.closed.push_back({idOf(cookie), m_now, ObservationBuilder().cookie(cookie).build()});
    m_session.accept(batch);
  }
  static ConnectionId idOf(std::uint64_t cookie) { return ObservationBuilder().cookie(cookie).build().id; }

private:
  SessionControl m_control;
  AnalysisSession m_session;
  Milliseconds m_elapsed{0};
  std::map<std::uint64_t, std::uint64_t> m_bytes;
  Moment m_now;
};

ChangeProof proofFrom(const std::shared_ptr<const SessionSnapshot>& before, Reach reach) {
  return {*before->details.at(Transfers::idOf(1)), before->time, reach};
}

TEST(ChangeProof, ComparesTheSameConnectionWhereTheChangeReachesIt) {
  Transfers transfers;
  ChangeProof proof = proofFrom(transfers.run(1, 12s, 100'000), Reach::live);
  proof.observe(*transfers.run(1, 2s, 500'000));
  EXPECT_EQ(proof.state(), State::gathers) << "a window grows before it is what the change allows";
  proof.observe(*transfers.run(1, 10s, 500'000));
  ASSERT_EQ(proof.state(), State::compared);
  EXPECT_TRUE(proof.comparison().isDecided());
  EXPECT_NEAR(proof.comparison().after.mean / proof.comparison().before.mean, 5.0, 0.05);
  EXPECT_FALSE(proof.changedRtts());
  EXPECT_THAT(sentence(proof), HasSubstr("5.00 times as fast with it"));
  EXPECT_THAT(figures(proof), HasSubstr("Before: 8.1"));
}

TEST(ChangeProof, ClaimsNothingWhereNothingBecameFaster) {
  Transfers transfers;
  ChangeProof proof = proofFrom(transfers.run(1, 12s, 100'000), Reach::live);
  proof.observe(*transfers.run(1, 15s, 100'000));
  ASSERT_EQ(proof.state(), State::compared);
  EXPECT_FALSE(proof.comparison().isDecided());
  EXPECT_THAT(sentence(proof), HasSubstr("No significant difference"));
}

TEST(ChangeProof, WaitsForNewConnectionsWhereTheChangeReachesThemOnly) {
  Transfers transfers;
  ChangeProof proof = proofFrom(transfers.run(1, 12s, 100'000), Reach::afterReconnect);
  proof.observe(*transfers.run(1, 15s, 100'000));
  EXPECT_EQ(proof.state(), State::awaitsConnection);
  EXPECT_THAT(sentence(proof), HasSubstr("new connections only"));
  proof.observe(*transfers.run(2, 1s, 300'000));
  EXPECT_EQ(proof.measured(), Transfers::idOf(2)) << "and the session is asked for its full picture";
  transfers.follow(2);
  proof.observe(*transfers.run(2, 5s, 300'000));
  EXPECT_EQ(proof.state(), State::gathers);
  transfers.follow(3);
  proof.observe(*transfers.run(3, 6s, 300'000));
  ASSERT_EQ(proof.state(), State::compared) << "blocks of both count";
  EXPECT_NEAR(proof.comparison().after.mean / proof.comparison().before.mean, 3.0, 0.05);
}

TEST(ChangeProof, EndsWithTheConnectionWhereTheChangeReachesItAlone) {
  Transfers transfers;
  ChangeProof proof = proofFrom(transfers.run(1, 20s, 100'000), Reach::live);
  transfers.close(1);
  transfers.follow(2);
  proof.observe(*transfers.run(2, 20s, 400'000));
  EXPECT_EQ(proof.state(), State::closed);
  EXPECT_FALSE(proof.measured());
  EXPECT_THAT(sentence(proof), HasSubstr("closed"));
}

TEST(ChangeProof, SaysThatTheRttChanged) {
  for (const auto& [rtt, meaning] : {std::pair(10ms, "is 10.0 ms since: the route may have changed"),
                                     std::pair(40ms, "is 40.0 ms since: a queue")}) {
    Transfers transfers;
    ChangeProof proof = proofFrom(transfers.run(1, 12s, 100'000), Reach::live);
    proof.observe(*transfers.run(1, 12s, 200'000, rtt));
    EXPECT_TRUE(proof.changedRtts());
    EXPECT_THAT(sentence(proof), HasSubstr(std::string("was 20.0 ms before and ") + meaning));
  }
}

TEST(ChangeProof, HasNothingToCompareWithoutAnEarlierObservation) {
  Transfers transfers;
  ChangeProof proof = proofFrom(transfers.run(1, 1s, 100'000), Reach::live);
  proof.observe(*transfers.run(1, 12s, 500'000));
  EXPECT_EQ(proof.state(), State::nothingBefore);
  EXPECT_EQ(figures(proof), "");
}

}  // namespace
}  // namespace tcpscope
