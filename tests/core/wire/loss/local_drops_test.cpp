// Which retransmission is of data that this host dropped. Times in ms, sequence numbers as on the wire.
#include "core/wire/loss/local_drops.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

const Endpoint kSender{IpAddress::v4({192, 0, 2, 1}), 50'000};
const Endpoint kReceiver{IpAddress::v4({198, 51, 100, 7}), 443};
const DropReason kNetfilter{"NETFILTER_DROP", 12};
const DropReason kQueueFull{"QDISC_OVERLIMIT", 65};

constexpr Moment dropTime(int ms) {
  return Moment() + Milliseconds(ms);
}

SegmentSeen segmentAt(int ms, std::uint32_t sequence, std::uint32_t length) {
  return {kSender, kReceiver, dropTime(ms), sequence, length, 4026531833U};
}

/// Sent and reported in the same millisecond.
LocalDrops::Explanation explain(LocalDrops& drops, const SegmentSeen& retransmitted) {
  return drops.explain(retransmitted, retransmitted.at);
}

TEST(LocalDrops, ARetransmissionOfDroppedDataWasLostHere) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 5000, 1448), kNetfilter);
  const auto found = explain(drops, segmentAt(1200, 5000, 1448));
  EXPECT_EQ(found.match.droppedLength, 1448U);
  EXPECT_EQ(found.match.completeFor, Milliseconds(1200));
  EXPECT_EQ(found.match.networkNamespace, 4026531833U);
  EXPECT_EQ(found.reason, kNetfilter);
}

TEST(LocalDrops, OfOtherDataAnotherDirectionOrAnotherConnectionItWasNot) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 5000, 1448), kNetfilter);
  EXPECT_EQ(explain(drops, segmentAt(1200, 6448, 1448)).match.droppedLength, 0U) << "the data behind it";
  EXPECT_EQ(explain(drops, segmentAt(1200, 3552, 1448)).match.droppedLength, 0U) << "the data before it";
  SegmentSeen back = segmentAt(1200, 5000, 1448);
  std::swap(back.source, back.destination);
  EXPECT_EQ(explain(drops, back).match.droppedLength, 0U);
  SegmentSeen other = segmentAt(1200, 5000, 1448);
  other.source.port = 50'001;
  EXPECT_EQ(explain(drops, other).match.droppedLength, 0U);
  EXPECT_EQ(explain(drops, segmentAt(1200, 5000, 1448)).match.droppedLength, 1448U) << "still known";
}

TEST(LocalDrops, ADropExplainsOneRetransmissionOfItsData) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 5000, 1448), kNetfilter);
  EXPECT_EQ(explain(drops, segmentAt(1200, 5000, 1448)).match.droppedLength, 1448U);
  const auto second = explain(drops, segmentAt(1600, 5000, 1448));
  EXPECT_EQ(second.match.droppedLength, 0U) << "what was retransmitted first was lost elsewhere";
  EXPECT_FALSE(second.reason);
}

TEST(LocalDrops, AnAggregateIsRetransmittedInParts) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 1000, 4000), kQueueFull);
  EXPECT_EQ(explain(drops, segmentAt(1200, 2000, 1000)).match.droppedLength, 1000U);
  EXPECT_EQ(explain(drops, segmentAt(1201, 1000, 1000)).match.droppedLength, 1000U) << "before it";
  EXPECT_EQ(explain(drops, segmentAt(1202, 3000, 2000)).match.droppedLength, 2000U) << "behind it";
  EXPECT_EQ(explain(drops, segmentAt(1203, 1000, 4000)).match.droppedLength, 0U) << "all is explained";
}

TEST(LocalDrops, APartIsReportedAsAPart) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 1000, 500), kNetfilter);
  drops.add(segmentAt(1001, 1300, 500), kQueueFull);
  const auto found = explain(drops, segmentAt(1200, 900, 2000));
  EXPECT_EQ(found.match.droppedLength, 800U) << "what both dropped counts once";
  EXPECT_EQ(found.reason, kQueueFull) << "the last one's";
}

TEST(LocalDrops, TheDropOfTheRetransmissionItselfIsNotItsCause) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 5000, 1448), kNetfilter);
  // The kernel reports a retransmission after it has passed the queues.
  drops.add(segmentAt(1201, 5000, 1448), kQueueFull);
  EXPECT_EQ(drops.explain(segmentAt(1202, 5000, 1448), dropTime(1200)).reason, kNetfilter);
  EXPECT_EQ(drops.explain(segmentAt(1602, 5000, 1448), dropTime(1600)).reason, kQueueFull);
}

TEST(LocalDrops, SequenceNumbersWrap) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 0xfffffff0U, 0x20), kNetfilter);
  EXPECT_EQ(explain(drops, segmentAt(1200, 0x8, 0x8)).match.droppedLength, 8U);
  EXPECT_EQ(explain(drops, segmentAt(1201, 0xfffffff0U, 0x18)).match.droppedLength, 0x18U);
}

TEST(LocalDrops, SegmentsWithoutDataAreNotRetransmitted) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 5000, 0), kNetfilter);
  EXPECT_FALSE(explain(drops, segmentAt(1200, 5000, 1)).reason);
}

TEST(LocalDrops, LostEventsMakeItIncomplete) {
  LocalDrops drops(dropTime(0));
  drops.missUntil(dropTime(1100));
  EXPECT_EQ(explain(drops, segmentAt(1200, 5000, 1448)).match.completeFor, Milliseconds(100));
  drops.missUntil(dropTime(1000));
  EXPECT_EQ(explain(drops, segmentAt(1200, 5000, 1448)).match.completeFor, Milliseconds(100)) << "an earlier loss";
  drops.missUntil(dropTime(1300));
  EXPECT_EQ(explain(drops, segmentAt(1200, 5000, 1448)).match.completeFor, Nanoseconds(0));
}

TEST(LocalDrops, WhatAFloodPushedOutIsMissing) {
  LocalDrops drops(dropTime(0));
  drops.add(segmentAt(1000, 5000, 1448), kNetfilter);
  for (std::uint32_t number = 0; number < 2'000; ++number) {
    drops.add(segmentAt(1001, 1'000'000 + number * 10, 10), kQueueFull);
  }
  const auto one = explain(drops, segmentAt(1200, 5000, 1448));
  EXPECT_FALSE(one.reason);
  EXPECT_EQ(one.match.completeFor, Milliseconds(199));
  for (std::uint16_t port = 1; port < 40'000; ++port) {
    SegmentSeen many = segmentAt(2000, 5000, 10);
    many.source.port = port;
    drops.add(many, kQueueFull);
  }
  EXPECT_EQ(explain(drops, segmentAt(2100, 5000, 10)).match.completeFor, Milliseconds(100));
}

TEST(LocalDrops, OldDropsMakeRoomBeforeAnyIsMissing) {
  LocalDrops drops(dropTime(0));
  for (std::uint16_t port = 1; port < 20'000; ++port) {
    SegmentSeen old = segmentAt(port < 16'000 ? 1000 : 200'000, 5000, 10);
    old.source.port = port;
    drops.add(old, kQueueFull);
  }
  SegmentSeen last = segmentAt(200'100, 5000, 10);
  last.source.port = 19'999;
  const auto found = explain(drops, last);
  EXPECT_EQ(found.reason, kQueueFull);
  EXPECT_EQ(found.match.completeFor, Milliseconds(200'100));
}

}  // namespace
}  // namespace tcpscope
