#include "core/session/connection_calculator.h"

#include <gtest/gtest.h>

#include "core/session/capture/capture_analysis.h"
#include "core/session/capture_detail.h"
#include "core/session/capture_list.h"
#include "tests/core/wire/flow/drawn_exchange.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

ConnectionDetail detailOfCapture(const std::string& drawn) {
  const test::DrawnExchange exchange(drawn);
  CaptureAnalysis analysis;
  analysis.keepSeries();
  for (const PacketSample& packet : exchange.samples()) analysis.take(packet);
  auto packets = std::make_shared<CapturedPackets>();
  packets->series = std::move(*analysis.releaseSeries(0));
  packets->analysis = analysis.connection(0);
  packets->initiator = analysis.flows().connections()[0]->initiator();
  return *detailOf(std::move(packets), captureConnectionId(PlaceId{3}, 0));
}

TEST(ConnectionCalculator, OfASenderTakesTheSmallerWindow) {
  ConnectionDetail detail;
  detail.socket = test::ObservationBuilder().peerWindow(65'536).congestionWindow(10).build();
  const StatedFigures figures = figuresOf(detail, Side::sending);
  EXPECT_DOUBLE_EQ(figures.rttSeconds.value(), 0.02);
  EXPECT_EQ(figures.mss, Bytes(1448));
  EXPECT_DOUBLE_EQ(figures.windowBytes.value(), 14'480.0);
  EXPECT_EQ(figures.otherMtu, Bytes(9000));
  detail.socket = test::ObservationBuilder().peerWindow(4096).congestionWindow(10).build();
  EXPECT_DOUBLE_EQ(figuresOf(detail, Side::sending).windowBytes.value(), 4096.0);
}

TEST(ConnectionCalculator, WhatWasNotSeenIsAbsent) {
  ConnectionDetail detail;
  detail.socket = test::ObservationBuilder().peerWindow(0).build();
  const StatedFigures figures = figuresOf(detail, Side::sending);
  EXPECT_FALSE(figures.lossEventRatio);
  EXPECT_FALSE(figures.hasNoLoss) << "without data nothing is known of it";
  EXPECT_FALSE(figures.rate);
  EXPECT_FALSE(figuresOf(ConnectionDetail(), Side::receiving).rttSeconds);
}

TEST(ConnectionCalculator, OfACaptureTakesWhatPacketsShow) {
  const ConnectionDetail detail = detailOfCapture(R"(
  0.000 > S 0:0 mss 1460 sackOK ws 7
  0.020 < SA 0:0 ack 1 win 65535 mss 1460 sackOK ws 7
  0.020 > A 1:1 ack 1
  0.200 > A 1:1001 ack 1
  0.220 < A 1:1 ack 1001 win 512
)");
  const StatedFigures figures = figuresOf(detail, Side::sending);
  EXPECT_NEAR(figures.rttSeconds.value(), 0.02, 1e-6);
  EXPECT_DOUBLE_EQ(figures.windowBytes.value(), 65'536.0);
  EXPECT_EQ(figures.mss, Bytes(1460));
  EXPECT_FALSE(figures.lossEventRatio) << "no loss was seen";
  EXPECT_TRUE(figures.hasNoLoss);
  EXPECT_FALSE(figures.mtu) << "only the sender knows it";
}

}  // namespace
}  // namespace tcpscope
