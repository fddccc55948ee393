#include "core/session/row_update.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

int percent(const LimitBar& bar, Limit limit) {
  return bar.percent[static_cast<std::size_t>(limit)];
}

TEST(LimitBar, HasTheSharesOfSpansOfAnyLength) {
  // A recording may claim that years lie between two samples.
  for (const Nanoseconds whole : {Nanoseconds(4), Nanoseconds(std::chrono::hours(24 * 365 * 40))}) {
    LimitShares shares;
    shares.add(Limit::network, whole / 4 * 3);
    shares.add(Limit::idle, whole / 4);
    EXPECT_EQ(percent(limitBar(shares), Limit::network), 75);
    EXPECT_EQ(percent(limitBar(shares), Limit::idle), 25);
  }
}

TEST(ExchangeBar, HasTheClientOfACaptureAsTheLocalEnd) {
  Verdict captured;
  captured.exchanges = ExchangeShares{0.15, 0.25, 0.6, 0.0, 10.0, true};
  const ExchangeBar bar = exchangeBar(captured);
  EXPECT_EQ(bar.local, 15);
  EXPECT_EQ(bar.path, 25);
  EXPECT_EQ(bar.remote, 60);
  EXPECT_TRUE(bar.localIsClient);

  Verdict live;
  live.exchanges = ExchangeShares{0.6, 0.25, 0.15, 0.0, 10.0, false};
  EXPECT_EQ(exchangeBar(live).local, 60);
  EXPECT_FALSE(exchangeBar(live).localIsClient);
  EXPECT_TRUE(exchangeBar(Verdict{}).empty());
}

TEST(ExchangeBar, SumsUpToAHundredWhateverTheRounding) {
  Verdict verdict;
  verdict.exchanges = ExchangeShares{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 10.0, false};
  const ExchangeBar bar = exchangeBar(verdict);
  EXPECT_EQ(bar.local + bar.path + bar.remote, 100);
}

}  // namespace
}  // namespace tcpscope
