// Transfers whose limit changes in the middle, at known times, wherever they are captured.
#include "core/diagnosis/wire_course.h"

#include <gmock/gmock.h>

#include "tests/core/diagnosis/limits/seen_transfer.h"

namespace tcpscope {
namespace {

using test::SeenTransfer;

class WireCourseSeenFrom : public testing::TestWithParam<double> {
protected:
  [[nodiscard]] SeenTransfer transfer() const { return SeenTransfer(GetParam()); }
};

/// The sender's life, phase after phase; each goes on where the one before it ended.
class Phases {
public:
  explicit Phases(SeenTransfer transfer) : m_transfer(std::move(transfer)) {}

  /// Windows of so many segments, each sent when the one before it is acknowledged.
  Phases& fills(double seconds, int segments, int windowBytes, double roundTrip = test::kRoundTripSeconds) {
    for (const double end = m_now + seconds; m_now < end;) {
      m_transfer.sends(m_now, m_next, segments);
      m_next += segments;
      m_now += roundTrip;
      m_transfer.learns(m_now, m_next, windowBytes);
      m_now += 1e-4;
    }
    return *this;
  }
  /// A steady stream with so many segments under way: each acknowledgment lets one more go.
  Phases& streams(double seconds, int segments, double roundTrip) {
    const double gap = roundTrip / segments;
    const int count = static_cast<int>(seconds / gap);
    for (int segment = 0; segment < count; ++segment) {
      const double at = m_now + segment * gap;
      m_transfer.sends(at + 1e-4, m_next + segment).learns(at + roundTrip, m_next + segment + 1);
    }
    m_next += count;
    m_now += count * gap + roundTrip;
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
  [[nodiscard]] LimitCourse course() const { return m_transfer.seen().diagnosis.course; }

private:
  SeenTransfer m_transfer;
  double m_now = 0.2;
  int m_next = 0;
};

/// Limit and end of each stretch, in seconds; without the beginning, of which a handshake and a window that nobody has
/// filled yet tell little.
std::vector<std::pair<Limit, double>> told(const LimitCourse& course) {
  std::vector<std::pair<Limit, double>> stretches;
  constexpr double kBeginning = 0.45;
  for (const LimitStretch& stretch : course.stretches) {
    const double end = toSeconds(stretch.to - course.stretches.front().from);
    if (end > kBeginning) stretches.emplace_back(stretch.limit, end);
  }
  return stretches;
}

void expectStretches(const LimitCourse& course, const std::vector<std::pair<Limit, double>>& expected) {
  const auto seen = told(course);
  ASSERT_EQ(seen.size(), expected.size()) << testing::PrintToString(seen);
  for (std::size_t index = 0; index < seen.size(); ++index) {
    EXPECT_EQ(name(seen[index].first), name(expected[index].first)) << index;
    EXPECT_NEAR(seen[index].second, expected[index].second, 0.25) << index;
  }
}

TEST_P(WireCourseSeenFrom, ShowsAPauseInTheMiddle) {
  Phases phases(transfer());
  phases.fills(3.0, 8, 8500).pauses(2.0).fills(3.0, 8, 8500);
  expectStretches(phases.course(), {{Limit::receiver, 3.2}, {Limit::application, 5.2}, {Limit::receiver, 8.3}});
}

TEST_P(WireCourseSeenFrom, ShowsAReceiverWhoseWindowGetsSmall) {
  Phases phases(transfer());
  phases.fills(4.0, 20, 60'000).fills(4.0, 8, 8500);
  const LimitCourse course = phases.course();
  expectStretches(course, {{Limit::unknown, 4.2}, {Limit::receiver, 8.3}});
  EXPECT_THAT(course.stretches.front().candidates, testing::Contains(Limit::sendBuffer));
  EXPECT_THAT(course.stretches.front().candidates, testing::Contains(Limit::network));
}

TEST_P(WireCourseSeenFrom, ShowsAProgramThatBecomesSlow) {
  Phases phases(transfer());
  phases.fills(3.0, 8, 8500).drips(4.0);
  const LimitCourse course = phases.course();
  expectStretches(course, {{Limit::receiver, 3.3}, {Limit::unknown, 7.3}});
  EXPECT_THAT(course.stretches.back().candidates, testing::Contains(Limit::application));
  EXPECT_THAT(course.stretches.back().candidates, testing::Not(testing::Contains(Limit::receiver)));
}

TEST_P(WireCourseSeenFrom, ShowsAQueueThatFillsLater) {
  Phases phases(transfer());
  // On the average of all there is none.
  phases.streams(16.0, 12, 0.1).streams(4.0, 40, 0.3);
  const LimitCourse course = phases.course();
  double full = 0.0;
  for (const LimitStretch& stretch : course.stretches) {
    if (!stretch.pathWasFull) continue;
    EXPECT_EQ(stretch.limit, Limit::network);
    full += toSeconds(stretch.span());
    EXPECT_GT(toSeconds(stretch.from - course.stretches.front().from), 16.0);
  }
  EXPECT_NEAR(full, 4.0, 0.8);
}

TEST_P(WireCourseSeenFrom, IsOneStretchWhereNothingChanges) {
  Phases phases(transfer());
  phases.fills(10.0, 8, 8500);
  const LimitCourse course = phases.course();
  expectStretches(course, {{Limit::receiver, 10.2}});
}

TEST_P(WireCourseSeenFrom, NamesFewStretchesWhereALotChanges) {
  Phases phases(transfer());
  for (int round = 0; round < 60; ++round) phases.fills(0.5, 8, 8500).pauses(0.7);
  const LimitCourse course = phases.course();
  EXPECT_LE(course.stretches.size(), kMostStretches);
  EXPECT_GT(course.steps.size(), 60U);
}

TEST_P(WireCourseSeenFrom, CoversTheWholeTime) {
  Phases phases(transfer());
  phases.fills(3.0, 8, 8500).pauses(1.0).drips(1.0);
  const LimitCourse course = phases.course();
  Moment at = course.steps.front().from;
  EXPECT_EQ(course.stretches.front().from, at);
  for (const LimitStep& step : course.steps) {
    EXPECT_EQ(step.from, at);
    at = step.to;
  }
  EXPECT_EQ(course.stretches.back().to, at);
  EXPECT_NEAR(toSeconds(at - course.steps.front().from), phases.now(), 0.2);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, WireCourseSeenFrom, testing::ValuesIn(test::kPlaces),
                         [](const auto& seen) { return "at" + std::to_string(static_cast<int>(seen.param * 100)); });

TEST(WireCourse, OfSilenceIsIdle) {
  // The server answers nothing.
  const SeenTransfer told = SeenTransfer(0.0).sends(0.2, 0, 3).learns(0.3, 3).ends(4.0);
  const LimitCourse course = told.seen().diagnosis.course;
  ASSERT_FALSE(course.stretches.empty());
  EXPECT_EQ(course.stretches.back().limit, Limit::idle);
}

}  // namespace
}  // namespace tcpscope
