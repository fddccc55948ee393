#include "core/session/path_capacity.h"

#include <gtest/gtest.h>

#include "core/session/capture/connection_analysis.h"

namespace tcpscope {
namespace {

constexpr NextLimit kThere{BitsPerSecond(95e6), NextLimitMethod::ackDispersion, BitsPerSecond(90e6),
                           BitsPerSecond(100e6)};
constexpr NextLimit kBack{BitsPerSecond(20e6), NextLimitMethod::ackDispersion, BitsPerSecond(18e6),
                          BitsPerSecond(22e6)};

Endpoint endpoint(std::string_view address, std::uint16_t port) {
  return {*IpAddress::parse(address), port};
}

/// Both sides are held by a receive window at a tenth of what their direction carries.
ConnectionDetail liveDetail() {
  ConnectionDetail detail;
  detail.socket.local = endpoint("::ffff:192.0.2.1", 40000);
  detail.socket.remote = endpoint("::ffff:198.51.100.2", 443);
  const auto side = [](Side which, double goodputBps) {
    SideDiagnosis diagnosis;
    diagnosis.side = which;
    diagnosis.verdict.limit = Limit::receiver;
    diagnosis.verdict.goodput = BitsPerSecond(goodputBps);
    return diagnosis;
  };
  detail.diagnosis.sending = side(Side::sending, 9e6);
  detail.diagnosis.receiving = side(Side::receiving, 2e6);
  detail.diagnosis.bulk = Side::sending;
  detail.diagnosis.verdict = detail.diagnosis.sending->verdict;
  return detail;
}

ConnectionAnalysis analysisOf(const Endpoint& initiator, const Endpoint& responder) {
  ConnectionAnalysis analysis;
  analysis.flow.initiator = initiator;
  analysis.flow.responder = responder;
  return analysis;
}

TEST(PathCapacity, IsLearnedForTheDirectionOfEachSide) {
  ConnectionAnalysis analysis = analysisOf(endpoint("192.0.2.1", 40000), endpoint("198.51.100.2", 443));
  analysis.directions[0].diagnosis.pathCapacity = kThere;
  analysis.directions[1].diagnosis.pathCapacity = kBack;
  ConnectionDetail detail = liveDetail();
  learnCapacity(detail, analysis);
  EXPECT_EQ(detail.diagnosis.sending->verdict.next, kThere);
  EXPECT_EQ(detail.diagnosis.receiving->verdict.next, kBack);
  EXPECT_EQ(detail.diagnosis.verdict.next, kThere);
}

TEST(PathCapacity, IsLearnedWhereThePeerOpenedTheConnection) {
  ConnectionAnalysis analysis = analysisOf(endpoint("198.51.100.2", 443), endpoint("192.0.2.1", 40000));
  analysis.directions[1].diagnosis.pathCapacity = kThere;
  ConnectionDetail detail = liveDetail();
  learnCapacity(detail, analysis);
  EXPECT_EQ(detail.diagnosis.sending->verdict.next, kThere);
  EXPECT_EQ(detail.diagnosis.receiving->verdict.next, std::nullopt);
}

}  // namespace
}  // namespace tcpscope
