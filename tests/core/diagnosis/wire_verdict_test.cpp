#include "core/diagnosis/wire_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/units.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;

/// A sender that goes its own way for ten seconds: what held it does not show.
struct OpenCase {
  LimitShares shares;
  ConnectionEvidence evidence;
  WaitEvidence waits;

  OpenCase() {
    shares.add(Limit::unknown, std::chrono::seconds(10));
    waits.waits.add(SenderWait::own, std::chrono::seconds(10));
    waits.acknowledgmentsTimed = waits.receiveWindowKnown = true;
  }
  [[nodiscard]] std::vector<Limit> candidates() {
    evidence.waits = waits;
    return wireAnswer(shares, evidence, waits, waits.silenceAfter).candidates;
  }
};

TEST(WireVerdict, LeavesOpenWhatTheWireDoesNotSeparate) {
  EXPECT_THAT(OpenCase().candidates(), ElementsAre(Limit::sendBuffer, Limit::application, Limit::network));
}

TEST(WireVerdict, PutsAWriterThatEndsShortFirst) {
  OpenCase open;
  open.waits.habits.unprompted = {std::chrono::seconds(1), 100, 20};
  EXPECT_EQ(name(open.candidates().front()), name(Limit::application));
}

TEST(WireVerdict, PutsABufferThatIsRefilledFirst) {
  OpenCase open;
  open.waits.refilledRatio = 0.6;
  EXPECT_EQ(name(open.candidates().front()), name(Limit::sendBuffer));
}

TEST(WireVerdict, PutsThePathFirstWhereItLosesPackets) {
  OpenCase open;
  open.evidence.dataSegments = 10'000;
  open.evidence.retransmittedSegments = 100;
  open.evidence.slowsDownForLoss = false;
  EXPECT_EQ(name(open.candidates().front()), name(Limit::network));
}

TEST(WireVerdict, OrdersWhatIsLeftOpenByItsShare) {
  OpenCase open;
  open.shares.add(Limit::idle, std::chrono::seconds(9));
  EXPECT_THAT(open.candidates(), ElementsAre(Limit::idle, Limit::sendBuffer, Limit::application, Limit::network));
}

TEST(WireVerdict, LeavesTimeoutsOpenWhereSegmentsMayBeMissedBeforeALongSilence) {
  OpenCase open;
  open.waits.mayMissSegments = true;
  open.waits.silenceAfter = std::chrono::seconds(90);
  EXPECT_THAT(open.candidates(), testing::Contains(Limit::timeout));
  open.waits.endIsKnown = true;
  EXPECT_THAT(open.candidates(), testing::Not(testing::Contains(Limit::timeout)));
}

TEST(WireVerdict, PutsAnUnknownWindowFirst) {
  OpenCase open;
  open.waits.receiveWindowKnown = false;
  EXPECT_EQ(name(open.candidates().front()), name(Limit::receiver));
}

}  // namespace
}  // namespace tcpscope
