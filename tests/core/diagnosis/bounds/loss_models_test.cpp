// Figures of the models' own documents, and of a calculation by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/diagnosis/bounds/bbr.h"
#include "core/diagnosis/bounds/bound_catalogue.h"
#include "core/diagnosis/bounds/cubic.h"
#include "core/diagnosis/bounds/highspeed.h"
#include "core/diagnosis/bounds/loss_budget.h"
#include "core/diagnosis/bounds/pftk.h"
#include "core/diagnosis/limits/loss_response.h"
#include "core/diagnosis/verdict.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using test::Situation;

Situation lossySender(std::string_view congestionControl) {
  Situation situation([congestionControl](test::ObservationBuilder& socket) {
    socket.congestionControl(congestionControl).inFlight(100).congestionWindow(100).notSent(500'000);
    socket.set(tcp_info::kRto, 220'000U);
  });
  test::Growth lossy = test::busyStep();
  lossy.retransmitted = 1;
  for (int round = 0; round < 10; ++round) situation.repeat(3, test::kStep, test::busyStep()).step(test::kStep, lossy);
  return situation;
}

std::vector<Bound> lossBounds(const Situation& situation) {
  const auto evidence = kernelEvidence(situation.socket(), situation.window(), Side::sending);
  std::vector<Bound> bounds = boundsOf(evidence, situation.verdict());
  std::erase_if(bounds, [](const Bound& bound) { return bound.model < BoundModel::mathis; });
  return bounds;
}

std::vector<BoundModel> modelsFor(std::string_view congestionControl) {
  std::vector<BoundModel> models;
  for (const Bound& bound : lossBounds(lossySender(congestionControl))) models.push_back(bound.model);
  return models;
}

Bound boundOf(const Situation& situation, BoundModel model) {
  for (const Bound& bound : lossBounds(situation)) {
    if (bound.model == model) return bound;
  }
  ADD_FAILURE() << name(model);
  return {};
}

TEST(Pftk, IsTheFormulaOfRfc5348) {
  // R sqrt(2p/3) = 0.1 * 0.081650; t_RTO 3 sqrt(3p/8) p (1 + 32 p^2) = 0.4 * 0.183712 * 0.01 * 1.0032; 1460 /
  // 0.0089022.
  EXPECT_NEAR(pftkRate(1460, 0.1, 0.4, 0.01).value(), 1.31204e6, 100.0);
}

TEST(Pftk, IsBelowMathisByTheTimeoutsAlone) {
  const Situation reno = lossySender("reno");
  const Bound pftk = boundOf(reno, BoundModel::pftk);
  const Bound mathis = boundOf(reno, BoundModel::mathis);
  ASSERT_TRUE(pftk.applies && mathis.applies);
  EXPECT_LT(*pftk.rate, *mathis.rate);
  EXPECT_GT(pftk.rate->value(), 0.9 * mathis.rate->value());
}

TEST(Cubic, GivesTheWindowsOfRfc9438) {
  const std::array<double, 7> longPath = {12, 38, 187, 1054, 5926, 33325, 187400};
  const std::array<double, 7> shortPath = {12, 38, 120, 379, 1200, 5926, 33325};
  for (std::size_t row = 0; row < longPath.size(); ++row) {
    const double p = std::pow(10.0, -2.0 - static_cast<double>(row));
    EXPECT_NEAR(cubicWindow(0.1, p) / longPath.at(row), 1.0, 0.005) << p;
    EXPECT_NEAR(cubicWindow(0.01, p) / shortPath.at(row), 1.0, 0.005) << p;
  }
}

TEST(HighSpeed, GivesTheWindowsOfRfc3649) {
  const std::array<double, 7> windows = {12, 38, 263, 1795, 12280, 83981, 574356};
  for (std::size_t row = 0; row < windows.size(); ++row) {
    const double p = std::pow(10.0, -2.0 - static_cast<double>(row));
    EXPECT_NEAR(highspeedWindow(p) / windows.at(row), 1.0, 0.005) << p;
  }
}

TEST(LossModels, FollowTheCongestionControl) {
  EXPECT_EQ(modelsFor("reno"), (std::vector{BoundModel::mathis, BoundModel::pftk}));
  EXPECT_EQ(modelsFor("cubic"), std::vector{BoundModel::cubic});
  for (const char* control : {"highspeed", "hstcp", "ghstcp_orig", "ghstcp"}) {
    EXPECT_EQ(modelsFor(control), std::vector{BoundModel::highspeed}) << control;
    EXPECT_TRUE(boundOf(lossySender(control), BoundModel::highspeed).applies) << control;
  }
  EXPECT_EQ(modelsFor("bbr"), (std::vector{BoundModel::mathis, BoundModel::bbr}));
  EXPECT_TRUE(boundOf(lossySender("cubic"), BoundModel::cubic).applies);
}

TEST(LossModels, SayWhyThereIsNone) {
  for (const std::string_view control : {"bbr", "vegas"}) {
    const Bound mathis = boundOf(lossySender(control), BoundModel::mathis);
    EXPECT_FALSE(mathis.applies) << control;
    EXPECT_FALSE(mathis.rate) << control;
    EXPECT_EQ(mathis.whyNot, WhyNoBound::notLossBased) << control;
  }
}

TEST(LossModels, SayHowWellTheRatioIsKnown) {
  const Bound cubic = boundOf(lossySender("cubic"), BoundModel::cubic);
  ASSERT_TRUE(cubic.lossEventRatio && cubic.lossEventRatio95);
  EXPECT_LT(cubic.lossEventRatio95->low, *cubic.lossEventRatio);
  EXPECT_GT(cubic.lossEventRatio95->high, *cubic.lossEventRatio);
}

TEST(LossModels, GiveAtLeastWhereNothingWasLost) {
  Situation situation(test::bulkSender);
  situation.repeat(10, test::kStep, test::busyStep(1'448'000));
  const Bound cubic = boundOf(situation, BoundModel::cubic);
  EXPECT_EQ(cubic.whyNot, WhyNoBound::noLossSeen);
  // Ten times 1000 packets: p below 3 in 10,000; Reno's 1.2 / sqrt(3e-4) = 69.3 segments over 20 ms are more than
  // CUBIC's.
  ASSERT_TRUE(cubic.rate);
  EXPECT_NEAR(cubic.rate->value(), 69.28 * 1448 * 8 / 0.02, 1e5);
}

TEST(Bbr, GivesItsOwnFigureWithinTheWindows) {
  SocketObservation socket = test::ObservationBuilder().congestionControl("bbr").build();
  socket.bbr = BbrInfo{BitsPerSecond(50e6), Microseconds(20'000), 1.0, 2.0};
  const WindowStatistics window;
  Bound bound = bbrBound(kernelEvidence(socket, window, Side::sending));
  EXPECT_TRUE(bound.applies);
  EXPECT_EQ(bound.rate, BitsPerSecond(50e6));
  // 65,535 bytes in 20 ms are 26.2 Mbit/s.
  socket.info = test::ObservationBuilder().peerWindow(65'535).build().info;
  EXPECT_NEAR(bbrBound(kernelEvidence(socket, window, Side::sending)).rate->value(), 26.214e6, 1.0);
}

TEST(Bbr, SaysWhereItOnlyKnowsWhatWasDelivered) {
  const SocketObservation socket =
      test::ObservationBuilder().congestionControl("bbr").deliveryRate(BitsPerSecond(40e6)).build();
  const WindowStatistics window;
  const Bound bound = bbrBound(kernelEvidence(socket, window, Side::sending));
  EXPECT_FALSE(bound.applies);
  EXPECT_EQ(bound.whyNot, WhyNoBound::onlyDelivered);
  EXPECT_NEAR(bound.rate->value(), 40e6, 8.0);
}

TEST(LossBudget, IsThatOfTheTarget) {
  // 100 Mbit/s over 20 ms in segments of 1448 bytes: 172.65 in flight; (1.2247 / 172.65)^2, and 3 * 173^2.
  const LossBudget budget = lossBudget(BitsPerSecond(100e6), 0.020, 1448);
  EXPECT_NEAR(budget.lossEventRatio, 5.032e-5, 1e-8);
  EXPECT_NEAR(budget.packetsBetween, 19'873, 10);
  EXPECT_DOUBLE_EQ(budget.runLengthRfc8337, 89'787);
}

}  // namespace
}  // namespace tcpscope
