#include "core/present/text/loss_text.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

constexpr Nanoseconds kLongEnough = std::chrono::minutes(5);

LossReport lossOfSegment() {
  return {17, 1448, 4026531833U, false, DropReason{"NETFILTER_DROP", 12}, {}};
}

LossReport retransmissionOf(std::uint32_t droppedLength, Nanoseconds completeFor) {
  LossReport report = lossOfSegment();
  report.match = DropMatch{droppedLength, completeFor, report.networkNamespace};
  if (droppedLength == 0) report.reason.reset();
  return report;
}

TEST(LossText, ADroppedPacketHasItsReason) {
  EXPECT_EQ(sentence(lossOfSegment()),
            "dropped on this host: netfilter drop (NETFILTER_DROP); sequence 17, length 1448");
  LossReport other = lossOfSegment();
  other.sequenceLength = 0;
  other.isElsewhere = true;
  other.reason = DropReason{"NOT_SPECIFIED", 2};
  EXPECT_EQ(sentence(other),
            "dropped on this host: the kernel gives no reason (NOT_SPECIFIED); sequence 17, no data; network namespace "
            "4026531833");
  EXPECT_EQ(reasonText({"", 999}), "reason 999, which this kernel does not name");
  EXPECT_EQ(reasonText({"", 131'082}), "reason 131082 of a subsystem of the kernel");
}

TEST(LossText, ARetransmissionOfDroppedDataWasLostHere) {
  EXPECT_EQ(sentence(retransmissionOf(1448, Nanoseconds(0))),
            "lost on this host: netfilter drop (NETFILTER_DROP); sequence 17, length 1448");
  LossReport report = retransmissionOf(1448, kLongEnough);
  report.match->networkNamespace = 4026532000U;
  EXPECT_EQ(sentence(report),
            "lost on this host: netfilter drop (NETFILTER_DROP), in network namespace 4026532000; sequence 17, length "
            "1448");
}

TEST(LossText, AnIncompleteMatchIsSaid) {
  EXPECT_EQ(sentence(retransmissionOf(1000, kLongEnough)),
            "lost on this host in part (1000 of 1448): netfilter drop (NETFILTER_DROP); sequence 17, length 1448");
  EXPECT_EQ(sentence(retransmissionOf(0, kLongEnough)), "no drop of it seen on this host; sequence 17, length 1448");
  EXPECT_EQ(sentence(retransmissionOf(0, Milliseconds(3200))),
            "no drop of it seen on this host; drops more than 3.20 s before are unknown; sequence 17, length 1448");
}

}  // namespace
}  // namespace tcpscope
