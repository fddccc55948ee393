// What counts as a change of a socket, and what does not.
#include "collectors/sock_diag/diag_digest.h"

#include <gtest/gtest.h>

#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

std::uint64_t digestOfPayload(const test::DiagPayload& payload) {
  return digestOf(payload.bytes())->digest;
}

TEST(DiagDigest, ATimerThatRunsIsNoChange) {
  EXPECT_EQ(digestOfPayload({.expires = 900}), digestOfPayload({.expires = 700}));
}

TEST(DiagDigest, ARetransmittedSynAckIsAChange) {
  EXPECT_NE(digestOfPayload({.retries = 1}), digestOfPayload({.retries = 2}));
}

}  // namespace
}  // namespace tcpscope
