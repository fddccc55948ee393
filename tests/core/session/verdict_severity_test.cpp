#include "core/session/verdict_severity.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

ConnectionRow rowWith(Limit limit, Cause cause = Cause::unknown) {
  ConnectionRow row;
  row.state = TcpState::established;
  row.limit = limit;
  row.cause = cause;
  row.confidenceRatio = 0.9F;
  return row;
}

std::uint8_t severityOf(const ConnectionRow& row) {
  return tcpscope::severityOf(row, row);
}

TEST(VerdictSeverity, WhatStandsStillAndWhatASettingLimitsComesBeforeTheRest) {
  for (const Limit limit : {Limit::stalled, Limit::timeout}) {
    EXPECT_EQ(severityOf(rowWith(limit)), kStandsStill) << name(limit);
  }
  for (const Limit limit : {Limit::receiver, Limit::sendBuffer}) {
    EXPECT_EQ(severityOf(rowWith(limit)), 3) << name(limit);
  }
  EXPECT_EQ(severityOf(rowWith(Limit::opening, Cause::noResponse)), kStandsStill);
  EXPECT_EQ(severityOf(rowWith(Limit::opening)), 0);
}

TEST(VerdictSeverity, ThePathAsItIsComesAfterWhatGoesWrongOnIt) {
  EXPECT_EQ(severityOf(rowWith(Limit::recovery)), 2);
  for (const Cause cause : {Cause::loss, Cause::policer, Cause::queue, Cause::mtu}) {
    EXPECT_EQ(severityOf(rowWith(Limit::network, cause)), 2) << name(cause);
  }
  EXPECT_EQ(severityOf(rowWith(Limit::network, Cause::pathFull)), 1);
  EXPECT_EQ(severityOf(rowWith(Limit::network)), 1);
}

TEST(VerdictSeverity, WaitingForAProgramNeedsNothing) {
  EXPECT_EQ(severityOf(rowWith(Limit::application, Cause::slowWriter)), 0);
  EXPECT_EQ(severityOf(rowWith(Limit::application, Cause::nagle)), 2);
  EXPECT_EQ(severityOf(rowWith(Limit::idle)), 0);
  EXPECT_EQ(severityOf(rowWith(Limit::unknown)), 0);
}

TEST(VerdictSeverity, WhatIsNotSureOverOrBeingClosedHasNone) {
  ConnectionRow unsure = rowWith(Limit::receiver);
  unsure.confidenceRatio = 0.7F;
  EXPECT_EQ(severityOf(unsure), 0);
  ConnectionRow over = rowWith(Limit::receiver);
  over.closed = true;
  EXPECT_EQ(severityOf(over), 0);
  ConnectionRow unheard = rowWith(Limit::receiver);
  unheard.unheard = true;
  EXPECT_EQ(severityOf(unheard), 0);
  for (const TcpState state : {TcpState::timeWait, TcpState::finWait1, TcpState::lastAck, TcpState::closing}) {
    ConnectionRow closing = rowWith(Limit::stalled);
    closing.state = state;
    EXPECT_EQ(severityOf(closing), 0);
  }
}

}  // namespace
}  // namespace tcpscope
