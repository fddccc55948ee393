#include "ui/views/meter/meter_reading.h"

#include <gtest/gtest.h>

#include "tests/ui/plots/history_drawing.h"

namespace tcpscope {
namespace {

using test::historyOfPeerWindows;

constexpr Milliseconds kStep{10};

TEST(MeterReading, IsEmptyBeforeTheFirstSample) {
  MeterReading meter(Metric::sndWnd);
  meter.update(ConnectionHistory());
  EXPECT_FALSE(meter.value());
  EXPECT_FALSE(meter.change());
  EXPECT_FALSE(meter.average());
}

TEST(MeterReading, ShowsTheNewestValueAndItsChangeSinceTheSampleBefore) {
  MeterReading meter(Metric::sndWnd);
  meter.update(historyOfPeerWindows({100, 130}, kStep));
  EXPECT_EQ(meter.value(), 130.0);
  EXPECT_EQ(meter.change(), 30.0);
}

TEST(MeterReading, WeightsTheNewestSampleByTheSmoothingFactor) {
  MeterReading meter(Metric::sndWnd);
  meter.setSmoothing(0.5);
  meter.update(historyOfPeerWindows({100, 200, 200}, kStep));
  EXPECT_EQ(meter.average(), 175.0);
}

TEST(MeterReading, WithoutSmoothingTheAverageIsTheValue) {
  MeterReading meter(Metric::sndWnd);
  meter.setSmoothing(1.0);
  meter.update(historyOfPeerWindows({100, 7}, kStep));
  EXPECT_EQ(meter.average(), 7.0);
}

TEST(MeterReading, TakesEachSampleOnce) {
  MeterReading meter(Metric::sndWnd);
  meter.setSmoothing(0.5);
  meter.update(historyOfPeerWindows({100, 200}, kStep));
  meter.update(historyOfPeerWindows({100, 200}, kStep));
  EXPECT_EQ(meter.average(), 150.0);
  meter.update(historyOfPeerWindows({100, 200, 250}, kStep));
  EXPECT_EQ(meter.average(), 200.0);
  EXPECT_EQ(meter.change(), 50.0);
}

TEST(MeterReading, GoesBackWithAReplay) {
  MeterReading meter(Metric::sndWnd);
  meter.setSmoothing(0.5);
  meter.update(historyOfPeerWindows({100, 200, 250}, kStep));
  meter.update(historyOfPeerWindows({100, 200}, kStep));
  EXPECT_EQ(meter.value(), 200.0);
  EXPECT_EQ(meter.average(), 150.0);
}

TEST(MeterReading, AnotherSmoothingStartsTheAverageAtTheValue) {
  MeterReading meter(Metric::sndWnd);
  meter.update(historyOfPeerWindows({100, 300}, kStep));
  meter.setSmoothing(0.2);
  EXPECT_EQ(meter.average(), 300.0);
}

TEST(MeterReading, ForgetsEverythingForAnotherConnection) {
  MeterReading meter(Metric::sndWnd);
  meter.update(historyOfPeerWindows({100, 300}, kStep));
  meter.clear();
  EXPECT_FALSE(meter.value());
  meter.update(historyOfPeerWindows({40}, kStep));
  EXPECT_EQ(meter.value(), 40.0);
  EXPECT_EQ(meter.average(), 40.0);
}

TEST(MeterReading, WhatIsNotReportedIsNotZero) {
  MeterReading meter(Metric::bbrBandwidth);
  meter.update(historyOfPeerWindows({1, 2}, kStep));
  EXPECT_FALSE(meter.value());
  EXPECT_FALSE(meter.average());
}

}  // namespace
}  // namespace tcpscope
