#include "core/wire/probe/probe_message.h"

#include <gtest/gtest.h>

#include "core/wire/probe/probe_packet.h"

namespace tcpscope {
namespace {

ProbeRunPlan fewPackets() {
  return {Bytes(48), 10, Milliseconds(1)};
}

TEST(ProbeMessage, IsALineThatReadsLikeIt) {
  EXPECT_EQ(lineOf(ProbeGreeting{}), "tcpscope-probe 1\n");
  EXPECT_EQ(lineOf(ProbeWelcome{40123}), "tcpscope-probe 1 40123\n");
  EXPECT_EQ(lineOf(ProbeRunRequest{fewPackets(), 0xfeed}), "run 48 10 1000000 feed\n");
  EXPECT_EQ(lineOf(ProbeReceived{{true, true, false, true, false, true}, 4, 0, 1, 0, Milliseconds(5)}),
            "received 4 0 1 0 5000000 d4\n");
  EXPECT_EQ(lineOf(ProbeReceived{}), "received 0 0 0 - - -\n");
}

TEST(ProbeMessage, ComesBackFromItsLine) {
  const auto run = parseProbeLine("run 400 10 1000000 feed");
  ASSERT_TRUE(run);
  const auto* request = std::get_if<ProbeRunRequest>(&*run);
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(request->plan, (ProbeRunPlan{Bytes(400), 10, Milliseconds(1)}));
  EXPECT_EQ(request->token, 0xfeedU);
  const auto line = parseProbeLine("received 4 0 1 2 5000000 d4");
  ASSERT_TRUE(line);
  const auto* received = std::get_if<ProbeReceived>(&*line);
  ASSERT_NE(received, nullptr);
  EXPECT_EQ(received->arrived, (std::vector<bool>{true, true, false, true, false, true, false, false}));
  EXPECT_EQ(received->packets, 4U);
  EXPECT_EQ(received->reordered, 1U);
  EXPECT_EQ(received->overflowed, 2U);
  EXPECT_EQ(received->span, Milliseconds(5));
}

class ProbeLineThat : public testing::TestWithParam<const char*> {};

TEST_P(ProbeLineThat, IsRefused) {
  EXPECT_FALSE(parseProbeLine(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Lies, ProbeLineThat,
                         testing::Values("", " ", "GET / HTTP/1.1", "tcpscope-probe 2", "tcpscope-probe 1 0",
                                         "tcpscope-probe 1 70000", "run 48 10 1000000", "run 48 -1 1000000 feed",
                                         "run 48 10 1000000 feed more", "end now", "received 4 0 1 2 x d4",
                                         "received 4 0 1 2 5 zz", "received -4 0 1 2 5 d4"));

TEST(ProbeMessage, MayAskForMoreThanTheLimits) {
  for (const char* line :
       {"run 1500 10 1000000 feed", "run 48 0 1000000 feed", "run 48 10 1 feed", "run 48 10 -1000000 feed",
        "run 48 4000000000 1000000 feed", "run 48 4294967295 9223372036854775807 feed"}) {
    const auto message = parseProbeLine(line);
    ASSERT_TRUE(message) << line;
    const auto* request = std::get_if<ProbeRunRequest>(&*message);
    ASSERT_NE(request, nullptr);
    EXPECT_FALSE(request->plan.isWithinLimits()) << line;
  }
}

TEST(ProbeMessage, LimitsItsLines) {
  EXPECT_FALSE(parseProbeLine("received 0 0 0 - - " + std::string(kMostProbeLineBytes, 'f')));
  const auto most = probePlan(kMostProbeRate, kMostProbeTime);
  ASSERT_TRUE(most);
  ProbeReceived received;
  received.arrived.assign(most->front().packets, true);
  EXPECT_LT(lineOf(received).size(), kMostProbeLineBytes);
}

TEST(ProbePlan, SendsAsManyPacketsOfEachSize) {
  const auto plan = probePlan(BitsPerSecond(1e6), std::chrono::minutes(5));
  ASSERT_TRUE(plan);
  EXPECT_EQ((*plan)[0].interval, Nanoseconds(3'200'000)) << "400 bytes at 1 Mbit/s";
  EXPECT_EQ((*plan)[0].packets, 46'875U);
  EXPECT_EQ((*plan)[1].packets, 46'875U);
  EXPECT_NEAR((*plan)[1].rate().value(), 1e6, 1.0);
  EXPECT_TRUE((*plan)[0].isWithinLimits() && (*plan)[1].isWithinLimits());
}

TEST(ProbePlan, IsBounded) {
  EXPECT_FALSE(probePlan(BitsPerSecond(1e9), std::chrono::minutes(5)));
  EXPECT_FALSE(probePlan(BitsPerSecond(1.0), std::chrono::minutes(5)));
  EXPECT_FALSE(probePlan(BitsPerSecond(1e6), std::chrono::hours(1)));
  EXPECT_FALSE(probePlan(BitsPerSecond(1e6), Nanoseconds(0)));
  for (const BitsPerSecond rate : {kLeastProbeRate, kMostProbeRate}) {
    for (const Nanoseconds time : {kLeastProbeTime, kMostProbeTime}) {
      const auto plan = probePlan(rate, time);
      ASSERT_TRUE(plan);
      for (const ProbeRunPlan& run : *plan) EXPECT_TRUE(run.isWithinLimits()) << run.packets;
    }
  }
}

TEST(ProbePacket, ComesBackFromItsBytes) {
  const ProbePacket packet{0x0123456789abcdef, 46'874, true, std::chrono::seconds(149)};
  const auto bytes = encoded(packet);
  EXPECT_EQ(parseProbePacket(bytes), packet);
  EXPECT_EQ(bytes.front(), std::byte{0x01}) << "network byte order";
  EXPECT_FALSE(parseProbePacket(std::span(bytes).first(kProbePayloadBytes - 1)));
}

}  // namespace
}  // namespace tcpscope
