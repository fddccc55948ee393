#include "core/filter/capture_filter.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

const Endpoint kClient{IpAddress::v4({10, 0, 0, 1}), 50'000};
const Endpoint kServer{IpAddress::v4({192, 0, 2, 1}), 443};

ConnectionFilter filter(const char* text) {
  return ConnectionFilter::parse(text).value();
}

TEST(CaptureFilter, TakesWhoOpenedTheConnectionForItsSource) {
  EXPECT_TRUE(mayMatchCaptured(filter("src 10/8 and dport = :443"), kClient, kServer));
  EXPECT_FALSE(mayMatchCaptured(filter("dst 10/8"), kClient, kServer));
  EXPECT_TRUE(matchesCaptured(filter(""), kClient, kServer, Limit::unknown));
}

TEST(CaptureFilter, LooksAtTheLimitThatWasFound) {
  EXPECT_TRUE(asksForLimit(filter("dst 192.0.2.1 and not limit = network")));
  EXPECT_FALSE(asksForLimit(filter("dst 192.0.2.1")));
  EXPECT_TRUE(matchesCaptured(filter("limit = receiver"), kClient, kServer, Limit::receiver));
  EXPECT_FALSE(matchesCaptured(filter("limit = receiver"), kClient, kServer, Limit::network));
  EXPECT_TRUE(mayMatchCaptured(filter("limit = receiver"), kClient, kServer));
}

TEST(CaptureFilter, NamesWhatPacketsDoNotShow) {
  EXPECT_EQ(fieldOutsideCaptures(filter("dport = :443 and limit = receiver")), std::nullopt);
  EXPECT_EQ(fieldOutsideCaptures(filter("")), std::nullopt);
  EXPECT_EQ(fieldOutsideCaptures(filter("dport = :443 or process ~ nginx")), "process");
  EXPECT_EQ(fieldOutsideCaptures(filter("not state established")), "state");
  EXPECT_EQ(fieldOutsideCaptures(filter("rtt > 50ms")), "rtt_us");
}

}  // namespace
}  // namespace tcpscope
