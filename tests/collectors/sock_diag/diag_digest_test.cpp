// What counts as a change of a socket, and what does not.
#include "collectors/sock_diag/diag_digest.h"

#include <gtest/gtest.h>
#include <linux/inet_diag.h>

#include <algorithm>

#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

std::uint64_t digestOfPayload(const test::DiagPayload& payload) {
  AttributeLayout layout;
  return digestOf(payload.bytes(), layout)->digest;
}

/// Of TCP_INFO as the kernel had it at one time, its ages aside.
test::MessageBytes tcpInfo(std::uint8_t age, std::uint8_t rest) {
  test::MessageBytes info(248, std::byte{rest});
  std::fill(info.begin() + 44, info.begin() + 60, std::byte{age});
  return info;
}

TEST(DiagDigest, ATimerThatRunsIsNoChange) {
  EXPECT_EQ(digestOfPayload({.expires = 900}), digestOfPayload({.expires = 700}));
}

TEST(DiagDigest, ARetransmittedSynAckIsAChange) {
  EXPECT_NE(digestOfPayload({.retries = 1}), digestOfPayload({.retries = 2}));
}

TEST(DiagDigest, AgesAreNoChangeWhereverTcpInfoLies) {
  const auto withMark = [](std::uint8_t age) {
    return test::DiagPayload()
        .attribute(INET_DIAG_MARK, test::MessageBytes(4))
        .attribute(INET_DIAG_INFO, tcpInfo(age, 1));
  };
  const auto alone = [](std::uint8_t age) { return test::DiagPayload().attribute(INET_DIAG_INFO, tcpInfo(age, 1)); };
  AttributeLayout layout;
  const auto digest = [&layout](const test::DiagPayload& payload) { return digestOf(payload.bytes(), layout)->digest; };
  // Whatever layout the message before had.
  EXPECT_EQ(digest(withMark(10)), digest(withMark(20)));
  EXPECT_EQ(digest(alone(10)), digest(alone(20)));
  EXPECT_EQ(digest(withMark(30)), digestOfPayload(withMark(10)));
  EXPECT_NE(digest(withMark(10)), digest(alone(10)));
}

TEST(DiagDigest, ATcpInfoThatIsCutIsDigestedAsItIs) {
  const auto cutAfter = [](std::size_t size, std::uint8_t age) {
    test::MessageBytes bytes = test::DiagPayload().attribute(INET_DIAG_INFO, tcpInfo(age, 1)).bytes();
    bytes.resize(bytes.size() - 248 + size);
    return bytes;
  };
  AttributeLayout layout;
  const auto whole = digestOf(cutAfter(248, 10), layout);
  AttributeLayout unknown;
  EXPECT_EQ(digestOf(cutAfter(100, 10), layout)->digest, digestOf(cutAfter(100, 10), unknown)->digest);
  EXPECT_NE(digestOf(cutAfter(100, 20), layout)->digest, digestOf(cutAfter(100, 10), layout)->digest);
  EXPECT_EQ(digestOf(cutAfter(248, 20), layout)->digest, whole->digest);
}

}  // namespace
}  // namespace tcpscope
