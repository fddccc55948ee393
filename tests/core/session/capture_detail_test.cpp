// A captured connection as the list and the scope show it.
#include "core/session/capture_detail.h"

#include <gtest/gtest.h>

#include "core/session/capture/capture_analysis.h"
#include "core/session/capture_list.h"
#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

constexpr ConnectionId kId = captureConnectionId(PlaceId{3}, 0);

std::shared_ptr<const CapturedPackets> captured(const std::string& drawn) {
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  analysis.keepSeries();
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  auto packets = std::make_shared<CapturedPackets>();
  packets->series = std::move(*analysis.releaseSeries(0));
  packets->analysis = analysis.connection(0);
  packets->initiator = analysis.flows().connections()[0]->initiator();
  return packets;
}

const std::string kTransfer = std::string(test::kHandshake) + R"(
  0.200 > A 1:1001 ack 1
  0.300 < A 1:1 ack 1001 win 2000
  0.301 > A 1001:2001 ack 1
  0.700 > A 1001:2001 ack 1
  0.800 < A 1:1 ack 2001 win 0
)";

TEST(CaptureDetail, HasTheInitiatorForThisEnd) {
  const auto detail = detailOf(captured(kTransfer), kId);
  EXPECT_EQ(detail->row.id, kId);
  EXPECT_EQ(detail->row.local, test::clientEnd());
  EXPECT_EQ(detail->row.remote, test::serverEnd());
  EXPECT_EQ(detail->row.bulk, Side::sending);
  EXPECT_EQ(detail->row.state, TcpState::established);
  EXPECT_FLOAT_EQ(detail->row.retransmittedRatio, 1.0F / 3.0F);
}

TEST(CaptureDetail, GivesTheScopeWhatThePacketsShow) {
  const auto detail = detailOf(captured(kTransfer), kId);
  const Moment start = captureMoment(WallTime::fromNanoseconds(1'000'000'000'000));
  const auto value = [&](Metric metric, Milliseconds at) { return detail->history.valueAt(metric, start + at); };
  EXPECT_EQ(value(Metric::bytesAcked, Milliseconds(600)), 1001.0);
  EXPECT_EQ(value(Metric::inFlightBytes, Milliseconds(600)), 1000.0);
  EXPECT_EQ(value(Metric::totalRetrans, Milliseconds(600)), 0.0);
  EXPECT_EQ(value(Metric::totalRetrans, Milliseconds(790)), 1.0);
  // The handshake had no scale: the window is as on the wire.
  EXPECT_EQ(value(Metric::sndWnd, Milliseconds(600)), 2000.0);
}

TEST(CaptureDetail, CoversTheLimitsOfTheWholeConnection) {
  const auto detail = detailOf(captured(kTransfer), kId);
  EXPECT_EQ(detail->window.span(), Milliseconds(800));
  const LimitInterval whole = detail->limits.sum(detail->window.from, detail->window.to);
  EXPECT_GT(whole.sending.observed(), Nanoseconds::zero());
  // The verdict is about the transfer: silence before and after is no part of its shares.
  EXPECT_EQ(detail->diagnosis.sending->limits.span(Limit::idle), Nanoseconds::zero());
  for (const Limit limit : kLimits) {
    if (limit == Limit::idle) continue;
    EXPECT_NEAR(toSeconds(whole.sending.span(limit)), toSeconds(detail->diagnosis.sending->limits.span(limit)), 1e-4)
        << name(limit);
  }
}

TEST(CaptureDetail, MarksRetransmissionsAndClosedWindows) {
  const auto detail = detailOf(captured(kTransfer), kId);
  ASSERT_EQ(detail->events.size(), 2U);
  EXPECT_EQ(detail->events[0].kind, HistoryEventKind::retransmission);
  EXPECT_EQ(detail->events[1].kind, HistoryEventKind::peerWindowClosed);
}

TEST(CaptureList, SortsAndFiltersAsLiveRowsAre) {
  CaptureList list;
  SessionControl control;
  control.sortKey = SortKey::sendRate;
  list.setControl(control);
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    ConnectionRow row;
    row.id = captureConnectionId(PlaceId{3}, slot);
    row.local = {IpAddress::v4({10, 0, 0, 1}), static_cast<std::uint16_t>(40'000 + slot)};
    row.remote = {IpAddress::v4({10, 0, 0, 2}), 80};
    row.sendRateBps = static_cast<float>(slot);
    list.set(slot, row);
  }
  SessionSnapshot snapshot;
  list.publish(snapshot);
  EXPECT_EQ(*snapshot.order, (std::vector<std::uint32_t>{2, 1, 0}));
  control.filter = ConnectionFilter::parse("sport = :40001").value();
  list.setControl(control);
  list.publish(snapshot);
  EXPECT_EQ(*snapshot.order, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(snapshot.totalRows, 3U);
}

}  // namespace
}  // namespace tcpscope
