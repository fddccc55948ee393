// The record follows a history that grows, forgets its oldest samples, and is replaced.
#include "ui/plots/trace_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/ui/plots/history_drawing.h"

namespace tcpscope {
namespace {

using test::historyOfPeerWindows;
using test::startPlus;

constexpr Metric kWindow = Metric::sndWnd;
constexpr Metric kOther = Metric::rtt;

std::vector<std::uint32_t> numbersUpTo(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1U);
  return numbers;
}

class TraceRecordTest : public testing::Test {
protected:
  void update(const ConnectionHistory& history, Metric metric = kWindow) { m_record.update({}, history, {&metric, 1}); }
  [[nodiscard]] double valueAt(std::size_t index) const { return m_record.values(kWindow)->value(index); }

  TraceRecord m_record;
};

TEST_F(TraceRecordTest, TakesOverWhatTheHistoryGained) {
  update(historyOfPeerWindows(numbersUpTo(200), Milliseconds(1)));
  update(historyOfPeerWindows(numbersUpTo(500), Milliseconds(1)));
  ASSERT_EQ(m_record.times().size(), 500U);
  ASSERT_EQ(m_record.values(kWindow)->size(), 500U);
  for (std::size_t index = 0; index < 500; ++index) ASSERT_EQ(valueAt(index), static_cast<double>(index + 1));
}

TEST_F(TraceRecordTest, StartsOverWithAnotherHistory) {
  update(historyOfPeerWindows(numbersUpTo(200), Milliseconds(1)));
  update(historyOfPeerWindows({7, 8, 9}, Milliseconds(1500)));
  ASSERT_EQ(m_record.times().size(), 3U);
  EXPECT_EQ(valueAt(0), 7.0);
  update(ConnectionHistory());
  EXPECT_TRUE(m_record.times().empty());
}

TEST_F(TraceRecordTest, StartsOverWithAnotherConnectionThatIsSampledAtTheSameTimes) {
  update(historyOfPeerWindows({1, 2, 3}, Milliseconds(10)));
  const Metric metric = kWindow;
  m_record.update(ConnectionId{PlaceId{0}, 7}, historyOfPeerWindows({4, 5, 6}, Milliseconds(10)), {&metric, 1});
  EXPECT_EQ(valueAt(0), 4.0);
}

TEST_F(TraceRecordTest, ReadsAMetricThatIsNewFromTheStartAndDropsOneThatIsNotShown) {
  const auto history = historyOfPeerWindows(numbersUpTo(300), Milliseconds(1));
  update(history, kOther);
  EXPECT_EQ(m_record.values(kWindow), nullptr);
  update(history);
  ASSERT_EQ(m_record.values(kWindow)->size(), 300U);
  EXPECT_EQ(valueAt(299), 300.0);
  EXPECT_EQ(m_record.values(kOther), nullptr);
}

TEST_F(TraceRecordTest, FollowsAHistoryThatForgetsItsOldestSamples) {
  ConnectionHistory history(200'000);
  for (std::uint32_t number = 1; number <= 20'000; ++number) {
    const SocketObservation socket =
        test::ObservationBuilder().at(Milliseconds(number)).peerWindow(number).inFlight(number % 61).build();
    history.append(socket.takenAt, MetricSource{socket, nullptr});
    if (number % 100 == 0) update(history);
  }
  ASSERT_LT(history.sampleCount(), 20'000U) << "the budget has dropped some";
  EXPECT_LE(m_record.times().size(), 2 * history.sampleCount() + kChunkSamples);
  ASSERT_EQ(m_record.values(kWindow)->size(), m_record.times().size());
  EXPECT_EQ(valueAt(m_record.times().size() - 1), 20'000.0);
  EXPECT_EQ(valueAt(m_record.firstAt(*history.firstTime())), *history.valueAt(kWindow, *history.firstTime()));
}

TEST_F(TraceRecordTest, AMetricThatIsNewBeginsWhereTheHistoryBeginsNow) {
  ConnectionHistory history(200'000);
  const auto add = [&history](std::uint32_t number) {
    const SocketObservation socket = test::ObservationBuilder().at(Milliseconds(number)).peerWindow(number).build();
    history.append(socket.takenAt, MetricSource{socket, nullptr});
  };
  std::uint32_t number = 1;
  const std::size_t atFirst = [&] {
    for (; number <= 200; ++number) add(number);
    update(history, kOther);
    return m_record.times().size();
  }();
  const Moment oldest = *history.firstTime();
  while (*history.firstTime() == oldest) add(number++);
  const std::vector<Metric> both = {kOther, kWindow};
  m_record.update({}, history, both);
  ASSERT_GE(m_record.times().size(), atFirst);
  EXPECT_EQ(m_record.values(kWindow)->size(), m_record.times().size());
  EXPECT_EQ(valueAt(m_record.times().size() - 1), static_cast<double>(number - 1));
}

TEST_F(TraceRecordTest, BoundsOfColumnsAreTheFirstSamplesInThem) {
  update(historyOfPeerWindows(numbersUpTo(100), Milliseconds(10)));
  EXPECT_EQ(m_record.columnBounds(startPlus(Milliseconds(5)), Milliseconds(20), 3),
            (std::vector<std::size_t>{1, 3, 5, 7}));
  EXPECT_EQ(m_record.columnBounds(startPlus(Milliseconds(985)), Milliseconds(20), 2),
            (std::vector<std::size_t>{99, 100, 100}));
}

}  // namespace
}  // namespace tcpscope
