// A sender that always has data in flight, in steps of 100 ms: the basis for situations of the sending side.
#pragma once

#include <gtest/gtest.h>

#include "core/diagnosis/verdict.h"
#include "tests/core/diagnosis/situation.h"

#define EXPECT_VERDICT(verdict, wantedLimit, wantedCause) \
  EXPECT_EQ(name((verdict).limit), name(wantedLimit));    \
  EXPECT_EQ(name((verdict).cause), name(wantedCause))

namespace tcpscope::test {

inline constexpr std::chrono::milliseconds kStep{100};

/// 100 ms of a sender that always has data in flight.
inline Growth busyStep(std::uint64_t acked = 200'000) {
  Growth growth;
  growth.busy = kStep;
  growth.acked = acked;
  growth.segmentsOut = static_cast<std::uint32_t>(acked / 1448);
  growth.delivered = growth.segmentsOut;
  return growth;
}

/// A sender with more to send than the congestion window takes.
inline void bulkSender(ObservationBuilder& socket) {
  socket.congestionWindow(100).inFlight(100).notSent(500'000);
}

}  // namespace tcpscope::test
