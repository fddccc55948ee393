#include "core/advice/path_advice.h"

#include <gtest/gtest.h>

#include "core/present/text/path_history_text.h"
#include "tests/support/path_sightings.h"

namespace tcpscope {
namespace {

using test::rate;

SysctlValues settings(std::string_view receive) {
  SysctlValues values;
  values.set("net.ipv4.tcp_rmem", receive);
  return values;
}

/// 20 ms away.
PathEntry entry() {
  PathEntry entry{test::path("198.51.100.0/24")};
  entry.rtt = PathDelay{std::chrono::milliseconds(20), {}};
  return entry;
}

TEST(PathAdvice, IsTwiceBandwidthTimesDelay) {
  PathEntry path = entry();
  path.receiving = rate(100e6);
  const BufferAdvice advice = adviseBuffer(path, Side::receiving, settings("4096 131072 6291456"));
  // 2 * 250,000 bytes, in whole 64 KiB.
  EXPECT_EQ(advice.wanted, Bytes(524'288));
  EXPECT_EQ(advice.basis, BufferBasis::ofPath);
  EXPECT_EQ(advice.fitsHere(), true);
  EXPECT_EQ(
      sentence(advice),
      "Receive buffer of the next connection: 512 KiB (twice the bandwidth-delay product, as a start: the network "
      "limited the fastest transfer). Autotuning goes up to 6.00 MiB on this host (net.ipv4.tcp_rmem), which is "
      "enough: do not set the buffer.");
}

TEST(PathAdvice, NamesTheSettingThatIsTooSmall) {
  PathEntry path = entry();
  path.receiving = rate(100e6, Limit::application);
  const BufferAdvice advice = adviseBuffer(path, Side::receiving, settings("4096 65536 262144"));
  EXPECT_EQ(advice.fitsHere(), false);
  EXPECT_EQ(advice.basis, BufferBasis::atLeast);
  EXPECT_NE(sentence(advice).find("increase its third value to 524288"), std::string::npos) << sentence(advice);
}

TEST(PathAdvice, SaysThatABufferLimitedRateIsNoMeasureOfThePath) {
  PathEntry path = entry();
  path.receiving = rate(10e6, Limit::receiver);
  const BufferAdvice advice = adviseBuffer(path, Side::receiving, {});
  EXPECT_EQ(advice.basis, BufferBasis::ofBuffer);
  EXPECT_FALSE(advice.fitsHere());
  EXPECT_NE(sentence(advice).find("this is what was used"), std::string::npos);
  EXPECT_NE(sentence(advice).find("The maximum of net.ipv4.tcp_rmem on this host is unknown."), std::string::npos);
}

TEST(PathAdvice, IsNotKnownWhereTooLittleWasSeen) {
  PathEntry path = entry();
  EXPECT_EQ(adviseBuffer(path, Side::sending, {}).whyNot, WhyNoBuffer::noRate);
  path.sending = rate(10e6);
  path.rtt.reset();
  EXPECT_EQ(adviseBuffer(path, Side::sending, {}).whyNot, WhyNoBuffer::noRtt);
  EXPECT_EQ(sentence(adviseBuffer(path, Side::sending, {})),
            "Send buffer of the next connection: unknown: no RTT measured yet.");
}

}  // namespace
}  // namespace tcpscope
