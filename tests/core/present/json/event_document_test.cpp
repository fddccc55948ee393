#include "core/present/json/event_document.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using nlohmann::json;

constexpr WallTime kEventTime = WallTime::fromNanoseconds(1'500'000'000);

KernelEvent eventOf(KernelEventKind kind) {
  KernelEvent event;
  event.kind = kind;
  event.local = {IpAddress::v4({192, 0, 2, 1}), 50'000};
  event.remote = {IpAddress::v4({198, 51, 100, 7}), 443};
  return event;
}

TEST(EventDocument, AnOpenedConnection) {
  KernelEvent event = eventOf(KernelEventKind::opened);
  event.duration = std::chrono::milliseconds(25);
  event.thread = 1234;
  event.threadName = UntrustedText("cu\x1brl");
  const std::string line = toJsonLine(event, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line));
  const json read = json::parse(line);
  EXPECT_EQ(read.at("event"), "opened");
  EXPECT_EQ(read.at("remote"), "198.51.100.7:443");
  EXPECT_DOUBLE_EQ(read.at("duration_s"), 0.025);
  EXPECT_EQ(read.at("thread").at("tid"), 1234);
  EXPECT_EQ(read.at("thread").at("name").get<std::string>().find('\x1b'), std::string::npos);
}

TEST(EventDocument, WhatIsNotKnownIsAbsent) {
  for (const auto kind : {KernelEventKind::opened, KernelEventKind::accepted, KernelEventKind::openingFailed,
                          KernelEventKind::closed, KernelEventKind::retransmitted}) {
    const std::string line = toJsonLine(eventOf(kind), kEventTime);
    EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
    const json read = json::parse(line);
    EXPECT_EQ(read.at("event"), name(kind));
    EXPECT_FALSE(read.contains("duration_s") || read.contains("thread"));
  }
}

TEST(EventDocument, AnEndedConnectionHasItsFinalFigures) {
  ConnectionRow row;
  row.local = {IpAddress::v4({192, 0, 2, 1}), 50'000};
  row.remote = {IpAddress::v4({198, 51, 100, 7}), 443};
  row.firstSeen = Moment::fromNanoseconds(1'000'000'000);
  row.closedAt = Moment::fromNanoseconds(3'500'000'000);
  const SocketObservation last = test::ObservationBuilder().acked(100'000'001).retransmitted(3).build();
  row.rttUs = 20'000.0F;
  row.limit = Limit::receiver;
  Owner owner;
  owner.pid = 17;
  const std::string line = endedJsonLine(row, &owner, &last, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  const json read = json::parse(line);
  EXPECT_EQ(read.at("event"), "ended");
  EXPECT_DOUBLE_EQ(read.at("duration_s"), 2.5);
  EXPECT_EQ(read.at("sent_bytes"), 100'000'001) << "to the byte";
  EXPECT_EQ(read.at("retransmitted_segments"), 3);
  EXPECT_EQ(read.at("limit"), "receiver");
  EXPECT_EQ(read.at("process").at("pid"), 17);
}

TEST(EventDocument, AnEndedConnectionWithoutDataHasNoBytesAndNoLimit) {
  ConnectionRow row;
  row.firstSeen = Moment::fromNanoseconds(1'000'000'000);
  row.closedAt = Moment::fromNanoseconds(3'500'000'000);
  row.limit = Limit::application;
  // SYN and FIN have sequence numbers.
  const SocketObservation last =
      test::ObservationBuilder().acked(2).received(1).dataSegmentsOut(0).dataSegmentsIn(0).build();
  const std::string line = endedJsonLine(row, nullptr, &last, kEventTime, true);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  const json read = json::parse(line);
  EXPECT_EQ(read.at("sent_bytes"), 0);
  EXPECT_EQ(read.at("received_bytes"), 0);
  EXPECT_FALSE(read.contains("limit"));
  EXPECT_TRUE(read.at("duration_is_minimum")) << "it existed before the first sample";
}

TEST(EventDocument, AnEndedConnectionThatWasSeenOnceHasNoDuration) {
  ConnectionRow row;
  row.firstSeen = row.closedAt = Moment::fromNanoseconds(1'000'000'000);
  row.rttUs = std::numeric_limits<float>::quiet_NaN();
  const std::string line = endedJsonLine(row, nullptr, nullptr, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  const json read = json::parse(line);
  for (const char* key : {"duration_s", "process", "limit", "sent_bytes", "retransmitted_segments", "rtt_us"}) {
    EXPECT_FALSE(read.contains(key)) << key;
  }
}

TEST(EventDocument, HowManyEventsWereLostMayBeUnknown) {
  const std::string line = lostEventsJsonLine(std::nullopt, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  EXPECT_FALSE(json::parse(line).contains("count"));
}

TEST(EventDocument, ADroppedPacketHasTwoEndsAndAReason) {
  KernelEvent event = eventOf(KernelEventKind::dropped);
  event.loss = LossReport{17, 1448, 4026531833U, false, DropReason{"NETFILTER_DROP", 12}, {}};
  const std::string line = toJsonLine(event, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  const json read = json::parse(line);
  EXPECT_EQ(read.at("source"), "192.0.2.1:50000");
  EXPECT_EQ(read.at("destination"), "198.51.100.7:443");
  EXPECT_EQ(read.at("reason"), "NETFILTER_DROP");
  EXPECT_EQ(read.at("sequence"), 17);
  EXPECT_EQ(read.at("sequence_length"), 1448);
  EXPECT_EQ(read.at("network_namespace"), 4026531833U);
  EXPECT_FALSE(read.contains("local") || read.contains("dropped_before"));
  event.loss->reason = DropReason{"", 131'082};
  EXPECT_EQ(json::parse(toJsonLine(event, kEventTime)).at("reason"), 131'082) << "without a name";
}

TEST(EventDocument, ARetransmissionSaysWhatOfItWasDroppedHere) {
  KernelEvent event = eventOf(KernelEventKind::retransmitted);
  event.loss = LossReport{17, 1448, 1U, false, {}, DropMatch{0, Milliseconds(2500), {}}};
  std::string line = toJsonLine(event, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  json read = json::parse(line);
  EXPECT_EQ(read.at("dropped_before").at("sequence_length"), 0);
  EXPECT_EQ(read.at("dropped_before").at("complete_for_s"), 2.5);
  EXPECT_FALSE(read.contains("reason"));
  event.loss->reason = DropReason{"XDP", 72};
  event.loss->match = DropMatch{1448, Milliseconds(2500), 2U};
  line = toJsonLine(event, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  read = json::parse(line);
  EXPECT_EQ(read.at("reason"), "XDP");
  EXPECT_EQ(read.at("dropped_before").at("network_namespace"), 2);
}

TEST(EventDocument, ATriggerNamesItsConditionAndTheProgram) {
  ConnectionRow row;
  row.local = {IpAddress::v4({192, 0, 2, 1}), 50'000};
  row.remote = {IpAddress::v4({198, 51, 100, 7}), 443};
  Owner owner;
  owner.pid = 42;
  owner.processName = UntrustedText("cu\x1brl");
  for (const Owner* known : {&owner, static_cast<Owner*>(nullptr)}) {
    const std::string line = triggeredJsonLine(row, known, "rtt > 200ms", "night.tcpscope", kEventTime);
    EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
    const json read = json::parse(line);
    EXPECT_EQ(read.at("event"), "triggered");
    EXPECT_EQ(read.at("condition"), "rtt > 200ms");
    EXPECT_EQ(read.at("recording"), "night.tcpscope");
    EXPECT_EQ(read.contains("process"), known != nullptr);
  }
}

TEST(EventDocument, LostEventsAreCounted) {
  const std::string line = lostEventsJsonLine(7, kEventTime);
  EXPECT_TRUE(test::conformsTo(eventSchema(), line));
  EXPECT_EQ(json::parse(line).at("count"), 7);
  EXPECT_FALSE(test::conformsTo(eventSchema(), R"({"schema": "tcpscope.event", "schema_version": 1})"));
}

}  // namespace
}  // namespace tcpscope
