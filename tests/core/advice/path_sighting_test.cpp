// What a sample of a socket shows about its path.
#include "core/advice/path_sighting.h"

#include <gtest/gtest.h>

#include "core/diagnosis/evidence/kernel_evidence.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;
using namespace std::chrono_literals;

std::optional<PathSighting> sightingOfSocket(ObservationBuilder& socket, SightedVerdict verdict = {}) {
  return sightingOf(socket.build(), kernelEvidence(socket.build(), {}, Side::sending), verdict, WallTime());
}

TEST(PathSighting, HasTheConnectionsOwnFigures) {
  ObservationBuilder socket;
  socket.rtt(25ms, 20ms).dataSegmentsOut(5'000).retransmitted(7).duplicatesReported(2);
  const auto sighting = sightingOfSocket(socket);
  ASSERT_TRUE(sighting);
  EXPECT_EQ(sighting->path.toString(), "198.51.100.0/24");
  EXPECT_EQ(sighting->rtt, 20ms);
  EXPECT_EQ(sighting->segments, 5'000U);
  EXPECT_EQ(sighting->retransmitted, 5U) << "what arrived twice was not lost";
  EXPECT_EQ(sighting->options, (PathOptions{true, true, false, 7, 7, Bytes(1448)}));
  EXPECT_FALSE(sighting->sent);
}

TEST(PathSighting, AKernelThatCountsNoSegmentsGivesNone) {
  ObservationBuilder socket;
  const auto sighting = sightingOfSocket(socket.reportedBytes(104));
  ASSERT_TRUE(sighting);
  EXPECT_FALSE(sighting->segments);
}

TEST(PathSighting, ThereIsNoneOfLoopbackAndBeforeThePeerAnswered) {
  EXPECT_FALSE(sightingOfSocket(ObservationBuilder().remote("127.0.0.1", 443)));
  EXPECT_FALSE(sightingOfSocket(ObservationBuilder().state(TcpState::synSent)));
  EXPECT_FALSE(sightingOfSocket(ObservationBuilder().rtt(0ms, 0ms)));
}

TEST(PathSighting, KeepsAVerdictOnlyWhereItIsSure) {
  ObservationBuilder socket;
  EXPECT_EQ(sightingOfSocket(socket, {Side::sending, Limit::network, 0.9})->limit, Limit::network);
  EXPECT_FALSE(sightingOfSocket(socket, {Side::sending, Limit::network, 0.7})->limit);
  EXPECT_FALSE(sightingOfSocket(socket, {Side::sending, Limit::unknown, 0.9})->limit);
}

TEST(PathSighting, GivesTheVerdictToTheSideThatItIsAbout) {
  WindowStatistics window;
  window.to = window.from + 4s;
  window.ackedBytes = 4'000'000;
  window.receivedBytes = 1'000;
  const auto sighting =
      sightingOf(ObservationBuilder().build(), kernelEvidence(ObservationBuilder().build(), window, Side::sending),
                 {Side::sending, Limit::network, 0.9}, WallTime());
  ASSERT_TRUE(sighting && sighting->sent && sighting->received);
  EXPECT_EQ(sighting->sent->limit, Limit::network);
  EXPECT_EQ(sighting->received->limit, Limit::unknown);
}

}  // namespace
}  // namespace tcpscope
