#include "app/remote/requested_events.h"

#include <gtest/gtest.h>

#include "core/model/loss_report.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

Endpoint endpoint(std::uint8_t host, std::uint16_t port) {
  return {IpAddress::v4({192, 0, 2, host}), port};
}

SocketObservation socketTo(std::uint8_t host) {
  SocketObservation socket = test::ObservationBuilder().cookie(host).build();
  socket.local = endpoint(1, 40'000);
  socket.remote = endpoint(host, 443);
  return socket;
}

SourceEvent dropOf(const Endpoint& source, const Endpoint& destination, bool isElsewhere = false) {
  SourceEvent event;
  event.source = "losses";
  event.local = source;
  event.remote = destination;
  event.kind = HistoryEventKind::localDrop;
  LossReport report;
  report.reason = DropReason{"NO_SOCKET", 3};
  report.isElsewhere = isElsewhere;
  event.payload = encodeLossReport(report);
  return event;
}

ObservationBatch batchOf(std::vector<SourceEvent> events) {
  ObservationBatch batch;
  batch.events = std::move(events);
  return batch;
}

TEST(RequestedEvents, WithoutAFilterAreAllOfThePlaceAtOnce) {
  RequestedEvents events;
  ObservationBatch batch =
      batchOf({dropOf(endpoint(1, 40'000), endpoint(2, 443)), dropOf(endpoint(1, 1), endpoint(3, 2), true)});
  events.hold(batch);
  ASSERT_EQ(batch.events.size(), 1U) << "not those of another network namespace";
  EXPECT_EQ(batch.events[0].remote, endpoint(2, 443));
  EXPECT_TRUE(events.release().events.empty());
}

TEST(RequestedEvents, UnderAFilterAreThoseOfConnectionsThatTheDumpReported) {
  RequestedEvents events;
  events.setFiltered(true);
  ObservationBatch batch =
      batchOf({dropOf(endpoint(1, 40'000), endpoint(2, 443)), dropOf(endpoint(2, 443), endpoint(1, 40'000)),
               dropOf(endpoint(1, 40'000), endpoint(9, 443))});
  batch.retransmissions = {{endpoint(1, 40'000), endpoint(2, 443), {}}, {endpoint(1, 5), endpoint(9, 443), {}}};
  events.hold(batch);
  EXPECT_TRUE(batch.events.empty()) << "they wait for the dump";
  ObservationBatch dump;
  dump.changed.push_back(socketTo(2));
  events.note(dump);
  const ObservationBatch released = events.release();
  ASSERT_EQ(released.events.size(), 2U) << "of both directions";
  EXPECT_EQ(released.retransmissions.size(), 1U);
  EXPECT_TRUE(events.release().events.empty()) << "once";
}

TEST(RequestedEvents, LastEventsOfAClosedConnectionAreSentAndThenNone) {
  RequestedEvents events;
  events.setFiltered(true);
  ObservationBatch dump;
  dump.changed.push_back(socketTo(2));
  events.note(dump);
  ObservationBatch end;
  end.closed.push_back({socketTo(2).id, {}, std::nullopt});
  events.note(end);
  ObservationBatch last = batchOf({dropOf(endpoint(1, 40'000), endpoint(2, 443))});
  events.hold(last);
  EXPECT_EQ(events.release().events.size(), 1U);
  ObservationBatch later = batchOf({dropOf(endpoint(1, 40'000), endpoint(2, 443))});
  events.hold(later);
  EXPECT_TRUE(events.release().events.empty());
}

TEST(RequestedEvents, WhatThereIsNoRoomForIsCounted) {
  RequestedEvents events;
  events.setFiltered(true);
  ObservationBatch flood = batchOf(std::vector<SourceEvent>(10'000, dropOf(endpoint(1, 40'000), endpoint(9, 443))));
  events.hold(flood);
  const ObservationBatch released = events.release();
  ASSERT_EQ(released.gaps.size(), 1U);
  EXPECT_EQ(released.gaps[0].kind, GapKind::eventsLost);
  EXPECT_EQ(released.gaps[0].count, 10'000U - 8'192U);
}

}  // namespace
}  // namespace tcpscope
