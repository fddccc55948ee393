#include "core/model/trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

Moment at(Nanoseconds time) {
  return Moment() + time;
}

/// A record whose receive window has these values, a millisecond apart; nothing where it is not reported.
class WindowRecord {
public:
  void append(std::optional<std::uint32_t> window) {
    test::ObservationBuilder builder;
    if (window) builder.peerWindow(*window);
    SocketObservation socket = builder.build();
    if (!window) socket.info = TcpInfoSample();
    m_end += 1ms;
    m_history.append(at(m_end), MetricSource{socket, nullptr});
  }
  void appendAll(const std::vector<std::uint32_t>& windows) {
    for (const std::uint32_t window : windows) append(window);
  }
  [[nodiscard]] const ConnectionHistory& history() const { return m_history; }

private:
  ConnectionHistory m_history;
  Nanoseconds m_end{0};
};

constexpr LevelTrigger kRisesTo50{Metric::sndWnd, true, 50.0};
constexpr LevelTrigger kFallsTo50{Metric::sndWnd, false, 50.0};

std::optional<Moment> first(const TriggerCondition& condition, const WindowRecord& record, Nanoseconds after = 0ns) {
  return firstTriggerAfter(at(after), condition, record.history(), {});
}

TEST(Trigger, IsTheSampleThatReachesTheLevelFromBelow) {
  WindowRecord record;
  record.appendAll({10, 40, 60, 70, 40, 50});
  EXPECT_EQ(first(kRisesTo50, record), at(3ms));
  EXPECT_EQ(first(kRisesTo50, record, 3ms), at(6ms)) << "not while it stays above";
  EXPECT_EQ(first(kRisesTo50, record, 6ms), std::nullopt);
}

TEST(Trigger, IsTheSampleThatReachesTheLevelFromAbove) {
  WindowRecord record;
  record.appendAll({60, 50, 20, 70, 40});
  EXPECT_EQ(first(kFallsTo50, record), at(2ms));
  EXPECT_EQ(first(kFallsTo50, record, 2ms), at(5ms));
}

TEST(Trigger, IsNoSampleThatIsTheFirst) {
  WindowRecord record;
  record.appendAll({60, 60});
  EXPECT_EQ(first(kRisesTo50, record), std::nullopt) << "it may have been there before";
}

TEST(Trigger, SkipsSamplesInWhichTheFigureIsNotKnown) {
  WindowRecord record;
  record.appendAll({10});
  record.append(std::nullopt);
  record.appendAll({60});
  EXPECT_EQ(first(kRisesTo50, record), at(3ms));
}

TEST(Trigger, IsAnEventOfItsKind) {
  const ConnectionHistory none;
  const std::vector<HistoryEvent> events = {{at(1s), HistoryEventKind::timeout},
                                            {at(2s), HistoryEventKind::retransmission},
                                            {at(3s), HistoryEventKind::timeout}};
  EXPECT_EQ(firstTriggerAfter(at(0s), HistoryEventKind::timeout, none, events), at(1s));
  EXPECT_EQ(firstTriggerAfter(at(1s), HistoryEventKind::timeout, none, events), at(3s));
  EXPECT_EQ(firstTriggerAfter(at(0s), HistoryEventKind::peerWindowClosed, none, events), std::nullopt);
}

TEST(TriggerSearch, IgnoresWhatWasBeforeItWasArmed) {
  WindowRecord record;
  record.appendAll({10, 60, 10});
  TriggerSearch search{kRisesTo50};
  EXPECT_THAT(search.advance(record.history(), {}), IsEmpty());
  record.appendAll({60});
  EXPECT_THAT(search.advance(record.history(), {}), ElementsAre(at(4ms)));
  EXPECT_THAT(search.advance(record.history(), {}), IsEmpty());
}

TEST(TriggerSearch, FindsAnEventThatComesLaterThanNewerSamples) {
  WindowRecord record;
  record.appendAll({10, 10});
  TriggerSearch search{HistoryEventKind::retransmission};
  search.advance(record.history(), {});
  record.appendAll({10, 10});
  EXPECT_THAT(search.advance(record.history(), {}), IsEmpty());
  EXPECT_THAT(search.advance(record.history(), {{at(3ms), HistoryEventKind::retransmission}}), ElementsAre(at(3ms)));
}

TEST(TriggerSearch, EndsWhereEventsAreNotInOrder) {
  WindowRecord record;
  record.appendAll({10, 10});
  TriggerSearch search{HistoryEventKind::retransmission};
  search.advance(record.history(), {});
  record.appendAll({10, 10, 10, 10});
  const std::vector<HistoryEvent> events = {{at(5ms), HistoryEventKind::timeout},
                                            {at(4ms), HistoryEventKind::retransmission},
                                            {at(3ms), HistoryEventKind::retransmission}};
  EXPECT_THAT(search.advance(record.history(), events), ElementsAre(at(3ms), at(4ms)));
  EXPECT_THAT(search.advance(record.history(), events), IsEmpty());
}

TEST(TriggerSearch, ArmsAgainInAReplayThatGoesBack) {
  WindowRecord late;
  late.appendAll({10, 10, 10, 10});
  TriggerSearch search{kRisesTo50};
  search.advance(late.history(), {});
  WindowRecord early;
  early.appendAll({10, 60});
  EXPECT_THAT(search.advance(early.history(), {}), IsEmpty());
  early.appendAll({10, 60});
  EXPECT_THAT(search.advance(early.history(), {}), ElementsAre(at(4ms)));
}

/// A thousand samples a second for a minute, in which the figure leaps at random times.
TEST(TriggerSearch, CatchesEachOfAThousandEventsOnce) {
  constexpr int kSamples = 60'000;
  constexpr std::size_t kLeaps = 1000;
  std::mt19937 random(20'261'128);  // NOLINT(cert-msc32-c, cert-msc51-cpp): the same in each run
  std::set<int> leaps;
  while (leaps.size() < kLeaps) {
    const int sample = 2 + static_cast<int>(random() % (kSamples - 2));
    // Two next to each other would be one.
    if (!leaps.contains(sample - 1) && !leaps.contains(sample + 1)) leaps.insert(sample);
  }
  WindowRecord record;
  TriggerSearch search{kRisesTo50};
  std::vector<Moment> found;
  const auto takeFound = [&] {
    for (const Moment moment : search.advance(record.history(), {})) found.push_back(moment);
  };
  record.appendAll({10});
  takeFound();
  int untilNextSnapshot = 0;
  for (int sample = 2; sample <= kSamples; ++sample) {
    record.appendAll({leaps.contains(sample) ? 60U : 10U});
    if (untilNextSnapshot-- > 0) continue;
    untilNextSnapshot = static_cast<int>(random() % 100);
    takeFound();
  }
  takeFound();
  std::vector<Moment> wanted;
  for (const int sample : leaps) wanted.push_back(at(sample * 1ms));
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace tcpscope
