#include "ui/plots/xy_samples.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/ui/plots/history_drawing.h"

namespace tcpscope {
namespace {

using test::historyOfPeerWindows;
using test::startPlus;

constexpr std::array kBoth = {Metric::sndWnd, Metric::bbrBandwidth};

TEST(XySamples, PairWhatWasSampledTogether) {
  TraceRecord record;
  record.update({}, historyOfPeerWindows({1, 2, 3, 4, 5}, Milliseconds(10)), kBoth);
  const TimeSpan span{startPlus(Milliseconds(10)), startPlus(Milliseconds(30))};
  EXPECT_EQ(xySamples(record, Metric::sndWnd, Metric::sndWnd, span),
            (std::vector<XyPoint>{{2.0, 2.0}, {3.0, 3.0}, {4.0, 4.0}}));
}

TEST(XySamples, LeaveOutWhatIsNotReported) {
  TraceRecord record;
  record.update({}, historyOfPeerWindows({1, 2, 3}, Milliseconds(10)), kBoth);
  const TimeSpan span{startPlus(Milliseconds(0)), startPlus(Milliseconds(30))};
  EXPECT_TRUE(xySamples(record, Metric::sndWnd, Metric::bbrBandwidth, span).empty()) << "no BBR";
  EXPECT_TRUE(xySamples(record, Metric::sndWnd, Metric::rtt, span).empty()) << "not kept";
}

TEST(XySamples, AreThinnedOutEvenly) {
  TraceRecord record;
  record.update({}, historyOfPeerWindows(std::vector<std::uint32_t>(2 * kMostXyPoints, 7), Milliseconds(1)), kBoth);
  const TimeSpan span{startPlus(Milliseconds(0)), startPlus(Milliseconds(2 * kMostXyPoints))};
  const std::size_t points = xySamples(record, Metric::sndWnd, Metric::sndWnd, span).size();
  EXPECT_LE(points, kMostXyPoints);
  EXPECT_GT(points, kMostXyPoints / 2);
}

}  // namespace
}  // namespace tcpscope
