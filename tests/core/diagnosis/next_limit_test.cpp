#include "core/diagnosis/next_limit.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

constexpr NextLimit kPath{BitsPerSecond(95e6), NextLimitMethod::ackDispersion, BitsPerSecond(90e6),
                          BitsPerSecond(100e6)};

Verdict held(Limit limit, Cause cause, double goodputBps) {
  Verdict verdict;
  verdict.limit = limit;
  verdict.cause = cause;
  verdict.goodput = BitsPerSecond(goodputBps);
  return verdict;
}

ConnectionEvidence overPath(const std::optional<NextLimit>& capacity) {
  ConnectionEvidence evidence;
  evidence.pathCapacity = capacity;
  return evidence;
}

TEST(NextLimit, IsWhatThePathCarriesWhereAnEndHolds) {
  for (const Limit limit : {Limit::receiver, Limit::sendBuffer, Limit::application}) {
    EXPECT_EQ(nextLimit(overPath(kPath), held(limit, Cause::unknown, 12e6)), kPath);
  }
}

TEST(NextLimit, IsWhatThePathCarriesWhereLossOrPacingHolds) {
  EXPECT_EQ(nextLimit(overPath(kPath), held(Limit::network, Cause::loss, 12e6)), kPath);
  EXPECT_EQ(nextLimit(overPath(kPath), held(Limit::network, Cause::pacing, 12e6)), kPath);
  EXPECT_EQ(nextLimit(overPath(kPath), held(Limit::timeout, Cause::mtu, 1e3)), kPath);
}

TEST(NextLimit, IsUnknownWhereTheBottleneckIsSaturated) {
  for (const Cause cause : {Cause::pathFull, Cause::queue, Cause::policer, Cause::ecn}) {
    EXPECT_EQ(nextLimit(overPath(kPath), held(Limit::network, cause, 45e6)), std::nullopt);
  }
}

TEST(NextLimit, IsUnknownWithoutACapacityABoundOrARate) {
  EXPECT_EQ(nextLimit(overPath(std::nullopt), held(Limit::receiver, Cause::bufferLimit, 12e6)), std::nullopt);
  Verdict withoutRate = held(Limit::receiver, Cause::bufferLimit, 12e6);
  withoutRate.goodput.reset();
  EXPECT_EQ(nextLimit(overPath(kPath), withoutRate), std::nullopt);
}

TEST(NextLimit, IsClearlyMoreThanTheRate) {
  EXPECT_EQ(nextLimit(overPath(kPath), held(Limit::receiver, Cause::bufferLimit, 90e6)), std::nullopt);
}

TEST(NextLimit, IsALowerPacingLimitOfTheSenderAlone) {
  ConnectionEvidence evidence = overPath(kPath);
  evidence.maxPacingRate = BitsPerSecond(40e6);
  const auto found = nextLimit(evidence, held(Limit::receiver, Cause::bufferLimit, 12e6));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rate, BitsPerSecond(40e6));
  EXPECT_EQ(found->method, NextLimitMethod::bound);
  evidence.side = Side::receiving;
  EXPECT_EQ(nextLimit(evidence, held(Limit::receiver, Cause::bufferLimit, 12e6)), kPath);
}

}  // namespace
}  // namespace tcpscope
