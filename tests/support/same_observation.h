// Two observations of a socket, compared field by field, so that a test says which one differs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/socket_observation.h"

namespace tcpscope::test {

inline void expectSame(const SocketObservation& a, const SocketObservation& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.local, b.local);
  EXPECT_EQ(a.remote, b.remote);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.userId, b.userId);
  EXPECT_EQ(a.inode, b.inode);
  EXPECT_EQ(a.interfaceIndex, b.interfaceIndex);
  EXPECT_EQ(a.receiveQueue, b.receiveQueue);
  EXPECT_EQ(a.sendQueue, b.sendQueue);
  EXPECT_EQ(a.cgroupId, b.cgroupId);
  EXPECT_EQ(a.congestionControl, b.congestionControl);
  EXPECT_EQ(a.bufferLocks, b.bufferLocks);
  EXPECT_EQ(a.nagle, b.nagle);
  EXPECT_EQ(a.userTimeout, b.userTimeout);
  EXPECT_EQ(a.programWaits, b.programWaits);
  EXPECT_EQ(a.timer, b.timer);
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.bbr, b.bbr);
  EXPECT_TRUE(std::ranges::equal(a.info.bytes(), b.info.bytes()));
  EXPECT_EQ(a.info.holes().bits(), b.info.holes().bits());
  EXPECT_EQ(a.info.accecnLayout(), b.info.accecnLayout());
  EXPECT_EQ(a.takenAt, b.takenAt);
  EXPECT_EQ(a.unchangedUntil, b.unchangedUntil);
}

}  // namespace tcpscope::test
