// Transfers whose limit changes in the middle, at known times, wherever they are captured.
#include "core/diagnosis/limit_history.h"

#include <gmock/gmock.h>

#include "tests/core/diagnosis/limits/seen_transfer.h"

namespace tcpscope {
namespace {

using test::SeenTransfer;

class LimitHistorySeenFrom : public testing::TestWithParam<double> {
protected:
  [[nodiscard]] SeenTransfer transfer() const { return SeenTransfer(GetParam()); }
};

/// The sender's life, phase after phase; each goes on where the one before it ended.
class Phases {
public:
  explicit Phases(SeenTransfer transfer) : m_transfer(std::move(transfer)) {}

  /// Windows of so many segments, each sent when the one before it is acknowledged.
  Phases& fills(double seconds, int segments, int windowBytes, double rtt = test::kRttSeconds) {
    for (const double end = m_now + seconds; m_now < end;) {
      m_transfer.sends(m_now, m_next, segments);
      m_next += segments;
      m_now += rtt;
      m_transfer.learns(m_now, m_next, windowBytes);
      m_now += 1e-4;
    }
    return *this;
  }
  /// A steady stream with so many segments in flight: each acknowledgment clocks out one more.
  Phases& streams(double seconds, int segments, double rtt) {
    const double gap = rtt / segments;
    const int count = static_cast<int>(seconds / gap);
    for (int segment = 0; segment < count; ++segment) {
      const double at = m_now + segment * gap;
      m_transfer.sends(at + 1e-4, m_next + segment).learns(at + rtt, m_next + segment + 1);
    }
    m_next += count;
    m_now += count * gap + rtt;
    return *this;
  }
  Phases& pauses(double seconds) {
    m_now += seconds;
    return *this;
  }
  /// One segment after the other, at the program's own times.
  Phases& drips(double seconds) {
    for (const double end = m_now + seconds; m_now < end; m_now += 0.045) {
      m_transfer.sends(m_now, m_next).learns(m_now + 0.1, m_next + 1);
      ++m_next;
    }
    m_now += 0.1;
    return *this;
  }
  [[nodiscard]] double now() const { return m_now; }
  [[nodiscard]] LimitHistory history() const { return m_transfer.seen().diagnosis.history; }

private:
  SeenTransfer m_transfer;
  double m_now = 0.2;
  int m_next = 0;
};

/// Limit and end of each stretch, in seconds; without the beginning, whose handshake and unfilled window show little.
std::vector<std::pair<Limit, double>> stretchesOf(const LimitHistory& history) {
  std::vector<std::pair<Limit, double>> stretches;
  constexpr double kBeginning = 0.45;
  for (const LimitStretch& stretch : history.stretches) {
    const double end = toSeconds(stretch.to - history.stretches.front().from);
    if (end > kBeginning) stretches.emplace_back(stretch.limit, end);
  }
  return stretches;
}

void expectStretches(const LimitHistory& history, const std::vector<std::pair<Limit, double>>& expected) {
  const auto seen = stretchesOf(history);
  ASSERT_EQ(seen.size(), expected.size()) << testing::PrintToString(seen);
  for (std::size_t index = 0; index < seen.size(); ++index) {
    EXPECT_EQ(name(seen[index].first), name(expected[index].first)) << index;
    EXPECT_NEAR(seen[index].second, expected[index].second, 0.25) << index;
  }
}

TEST_P(LimitHistorySeenFrom, ShowsAPauseInTheMiddle) {
  Phases phases(transfer());
  phases.fills(3.0, 8, 8500).pauses(2.0).fills(3.0, 8, 8500);
  expectStretches(phases.history(), {{Limit::receiver, 3.2}, {Limit::application, 5.2}, {Limit::receiver, 8.3}});
}

TEST_P(LimitHistorySeenFrom, ShowsAReceiverWhoseWindowGetsSmall) {
  Phases phases(transfer());
  phases.fills(4.0, 20, 60'000).fills(4.0, 8, 8500);
  const LimitHistory history = phases.history();
  expectStretches(history, {{Limit::unknown, 4.2}, {Limit::receiver, 8.3}});
  EXPECT_THAT(history.stretches.front().candidates, testing::Contains(Limit::sendBuffer));
  EXPECT_THAT(history.stretches.front().candidates, testing::Contains(Limit::network));
}

TEST_P(LimitHistorySeenFrom, ShowsAProgramThatBecomesSlow) {
  Phases phases(transfer());
  phases.fills(3.0, 8, 8500).drips(4.0);
  const LimitHistory history = phases.history();
  expectStretches(history, {{Limit::receiver, 3.3}, {Limit::unknown, 7.3}});
  EXPECT_THAT(history.stretches.back().candidates, testing::Contains(Limit::application));
  EXPECT_THAT(history.stretches.back().candidates, testing::Not(testing::Contains(Limit::receiver)));
}

TEST_P(LimitHistorySeenFrom, ShowsAQueueThatFillsLater) {
  Phases phases(transfer());
  // On the average of all there is none.
  phases.streams(16.0, 12, 0.1).streams(4.0, 40, 0.3);
  const LimitHistory history = phases.history();
  double full = 0.0;
  for (const LimitStretch& stretch : history.stretches) {
    if (!stretch.pathWasFull) continue;
    EXPECT_EQ(stretch.limit, Limit::network);
    full += toSeconds(stretch.span());
    EXPECT_GT(toSeconds(stretch.from - history.stretches.front().from), 16.0);
  }
  EXPECT_NEAR(full, 4.0, 0.8);
}

TEST_P(LimitHistorySeenFrom, IsOneStretchWhereNothingChanges) {
  Phases phases(transfer());
  phases.fills(10.0, 8, 8500);
  const LimitHistory history = phases.history();
  expectStretches(history, {{Limit::receiver, 10.2}});
}

TEST_P(LimitHistorySeenFrom, NamesFewStretchesWhereALotChanges) {
  Phases phases(transfer());
  for (int round = 0; round < 60; ++round) phases.fills(0.5, 8, 8500).pauses(0.7);
  const LimitHistory history = phases.history();
  EXPECT_LE(history.stretches.size(), kMostStretches);
  EXPECT_GT(history.steps.size(), 60U);
}

TEST_P(LimitHistorySeenFrom, CoversTheWholeTime) {
  Phases phases(transfer());
  phases.fills(3.0, 8, 8500).pauses(1.0).drips(1.0);
  const LimitHistory history = phases.history();
  Moment at = history.steps.front().from;
  EXPECT_EQ(history.stretches.front().from, at);
  for (const LimitStep& step : history.steps) {
    EXPECT_EQ(step.from, at);
    at = step.to;
  }
  EXPECT_EQ(history.stretches.back().to, at);
  EXPECT_NEAR(toSeconds(at - history.steps.front().from), phases.now(), 0.2);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, LimitHistorySeenFrom, testing::ValuesIn(test::kPlaces),
                         [](const auto& seen) { return "at" + std::to_string(static_cast<int>(seen.param * 100)); });

TEST(LimitHistoryTest, OfSilenceIsIdle) {
  // The server answers nothing.
  const SeenTransfer captured = SeenTransfer(0.0).sends(0.2, 0, 3).learns(0.3, 3).ends(4.0);
  const LimitHistory history = captured.seen().diagnosis.history;
  ASSERT_FALSE(history.stretches.empty());
  EXPECT_EQ(history.stretches.back().limit, Limit::idle);
}

}  // namespace
}  // namespace tcpscope
