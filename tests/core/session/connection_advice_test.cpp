// Advice for a captured connection: its packets are the evidence.
#include "core/session/connection_advice.h"

#include <gtest/gtest.h>

#include "core/advice/buffer_size.h"
#include "core/session/capture/capture_analysis.h"
#include "core/session/capture_detail.h"
#include "core/session/capture_list.h"
#include "tests/core/wire/flow/drawn_exchange.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

/// Its handshake has no window scale.
ConnectionDetail transferLimitedBy(Limit limit, Cause cause) {
  const test::DrawnExchange exchange(std::string(test::kHandshake) + R"(
  0.200 > A 1:1001 ack 1
  0.300 < A 1:1 ack 1001 win 2000
)");
  CaptureAnalysis analysis;
  analysis.keepSeries();
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  auto packets = std::make_shared<CapturedPackets>();
  packets->series = std::move(*analysis.releaseSeries(0));
  packets->analysis = analysis.connection(0);
  packets->initiator = analysis.flows().connections()[0]->initiator();
  ConnectionDetail detail = *detailOf(std::move(packets), captureConnectionId(PlaceId{3}, 0));
  Verdict& verdict = detail.diagnosis.sending->verdict;
  verdict = {};
  verdict.limit = limit;
  verdict.cause = cause;
  verdict.confidenceRatio = 0.9;
  verdict.next = NextLimit{BitsPerSecond(95e6), NextLimitMethod::ackDispersion, {}, {}};
  return detail;
}

TEST(ConnectionAdvice, OfACaptureIncludesTheWindowScalingThatItsHandshakeLacks) {
  const auto advice = adviceFor(transferLimitedBy(Limit::receiver, Cause::bufferLimit), SysctlValues(), AdviceGoal());
  ASSERT_TRUE(advice.sending);
  ASSERT_FALSE(advice.sending->remedies.empty());
  const Remedy& remedy = advice.sending->remedies.front();
  EXPECT_EQ(remedy.id, RemedyId::receiverElsewhere);
  EXPECT_EQ(remedy.changes.back().key, kWindowScalingKey);
}

TEST(ConnectionAdvice, OfACaptureSaysWhatOnlyTheSenderKnows) {
  const auto whyNone = [](Limit limit, Cause cause) {
    return adviceFor(transferLimitedBy(limit, cause), SysctlValues(), AdviceGoal()).sending->whyNot;
  };
  EXPECT_EQ(whyNone(Limit::network, Cause::loss), WhyNoAdvice::congestionControlUnknown);
  EXPECT_EQ(whyNone(Limit::sendBuffer, Cause::unknown), WhyNoAdvice::sendBufferUnknown);
}

TEST(ConnectionAdvice, OfACaptureProposesNoCongestionControlWhereALargePartIsLost) {
  ConnectionDetail detail = transferLimitedBy(Limit::network, Cause::loss);
  detail.diagnosis.sending->verdict.evidence = {{"retransmitted_ratio", 0.418, std::nullopt, {}}};
  EXPECT_EQ(adviceFor(detail, SysctlValues(), AdviceGoal()).sending->whyNot, WhyNoAdvice::noRemedyKnown);
}

TEST(ConnectionAdvice, OfALiveConnectionWhosePacketsAreCapturedIsThatOfItsSamples) {
  ConnectionDetail detail = transferLimitedBy(Limit::network, Cause::loss);
  detail.socket = test::ObservationBuilder().build();
  EXPECT_NE(adviceFor(detail, SysctlValues(), AdviceGoal()).sending->whyNot, WhyNoAdvice::congestionControlUnknown);
}

}  // namespace
}  // namespace tcpscope
