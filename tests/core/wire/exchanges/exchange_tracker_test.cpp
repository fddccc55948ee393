// Who is slow? Requests and responses drawn packet by packet, as the client's end, the server's and a point between
// them see the same exchanges.
#include "core/wire/exchanges/exchange_tracker.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;

/// Follows what is drawn.
struct Followed {
  explicit Followed(const std::string& text)
      : exchange([this](const PacketSample& packet, const FlowPacket& taken) { tracker.take(packet, taken); }) {
    exchange.add(text);
  }
  [[nodiscard]] std::optional<ExchangeSummary> summary() {
    return tracker.summary(*exchange.table().connections().front());
  }

  ExchangeTracker tracker;
  test::DrawnExchange exchange;
};

void expectNear(Nanoseconds actual, Nanoseconds expected) {
  EXPECT_NEAR(toSeconds(actual), toSeconds(expected), 0.0005);
}

/// Over a path with an RTT of 40 ms: the server needs 30 ms for each response, the client 100 ms for the next request.
constexpr const char* kAtClient = R"(
  0.000 > S 0:0 mss 1460
  0.040 < SA 0:0 ack 1
  0.041 > A 1:201 ack 1
  0.111 < A 1:501 ack 201
  0.211 > A 201:401 ack 501
  0.281 < A 501:1001 ack 401
)";

TEST(ExchangeTracker, SplitsTheTimeAtTheClient) {
  Followed followed(kAtClient);
  const auto found = followed.summary();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2U);
  expectNear(found->server, milliseconds(60));
  expectNear(found->client, milliseconds(99));
  expectNear(found->network, milliseconds(81));
  expectNear(found->responseMedian, milliseconds(30));
}

/// The same, 20 ms later on the way there and earlier on the way back.
constexpr const char* kAtServer = R"(
  0.020 > S 0:0 mss 1460
  0.020 < SA 0:0 ack 1
  0.061 > A 1:201 ack 1
  0.091 < A 1:501 ack 201
  0.231 > A 201:401 ack 501
  0.261 < A 501:1001 ack 401
)";

TEST(ExchangeTracker, AtTheServerTheSplitIsTheSame) {
  Followed followed(kAtServer);
  const auto found = followed.summary();
  ASSERT_TRUE(found);
  expectNear(found->server, milliseconds(60));
  expectNear(found->responseMax, milliseconds(30));
  expectNear(found->client, milliseconds(99));
}

TEST(ExchangeTracker, NamesTheSlowestExchanges) {
  Followed followed(R"(
    0.000 > S 0:0 mss 1460
    0.010 < SA 0:0 ack 1
    0.011 > A 1:101 ack 1
    0.025 < A 1:101 ack 101
    0.030 > A 101:201 ack 101
    0.540 < A 101:201 ack 201
  )");
  const auto found = followed.summary();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->slowest.size(), 2U);
  expectNear(found->slowest.front().response, milliseconds(500));
  EXPECT_EQ(found->slowest.front().responsePacket - found->slowest.front().requestPacket, 1U);
  expectNear(found->slowest.back().response, milliseconds(4));
}

TEST(ExchangeTracker, APieceThatWaitsForADelayedAcknowledgmentIsCounted) {
  Followed followed(R"(
    0.000 > S 0:0 mss 1460
    0.001 < SA 0:0 ack 1
    0.002 > A 1:301 ack 1
    0.043 < A 1:1 ack 301
    0.044 > A 301:601 ack 1
    0.046 < A 1:301 ack 601
  )");
  const auto found = followed.summary();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->delayedPieces, 1U);
  expectNear(found->delayedPieceTime, milliseconds(42));
  expectNear(found->requestTransfer, milliseconds(42));
}

TEST(ExchangeTracker, APieceThatTheProgramWritesLateIsNot) {
  Followed followed(R"(
    0.000 > S 0:0 mss 1460
    0.001 < SA 0:0 ack 1
    0.002 > A 1:301 ack 1
    0.043 < A 1:1 ack 301
    0.144 > A 301:601 ack 1
    0.146 < A 1:301 ack 601
  )");
  EXPECT_EQ(followed.summary()->delayedPieces, 0U);
}

TEST(ExchangeTracker, NorIsOneThatLeavesBeforeTheAcknowledgmentArrives) {
  // At the server of a path with an RTT of 80 ms: the client writes every 100 ms.
  Followed followed(R"(
    0.040 > S 0:0 mss 1460
    0.040 < SA 0:0 ack 1
    0.121 > A 1:301 ack 1
    0.161 < A 1:1 ack 301
    0.221 > A 301:601 ack 1
    0.223 < A 1:301 ack 601
  )");
  EXPECT_EQ(followed.summary()->delayedPieces, 0U);
}

TEST(ExchangeTracker, AtTheServerTheReleasedPieceComesOneRttLater) {
  Followed followed(R"(
    0.040 > S 0:0 mss 1460
    0.040 < SA 0:0 ack 1
    0.121 > A 1:301 ack 1
    0.161 < A 1:1 ack 301
    0.243 > A 301:601 ack 1
    0.245 < A 1:301 ack 601
  )");
  EXPECT_EQ(followed.summary()->delayedPieces, 1U);
}

TEST(ExchangeTracker, RetransmissionsAreNoMessages) {
  Followed followed(R"(
    0.000 > S 0:0 mss 1460
    0.010 < SA 0:0 ack 1
    0.011 > A 1:101 ack 1
    0.025 < A 1:101 ack 101
    0.225 < A 1:101 ack 101
    0.236 > A 101:101 ack 101
  )");
  EXPECT_EQ(followed.summary()->count, 1U);
  expectNear(followed.summary()->server, milliseconds(4));
}

TEST(ExchangeTracker, TwoStreamsAtOnceAreNoExchanges) {
  Followed followed(R"(
    0.000 > S 0:0 mss 1460
    0.040 < SA 0:0 ack 1
    0.041 > A 1:1001 ack 1
    0.042 < A 1:1001 ack 1
    0.051 > A 1001:2001 ack 1
    0.052 < A 1001:2001 ack 1
    0.061 > A 2001:3001 ack 1
    0.062 < A 2001:3001 ack 1
  )");
  EXPECT_FALSE(followed.summary());
}

TEST(ExchangeTracker, AStreamInOneDirectionHasNone) {
  Followed followed(R"(
    0.000 > S 0:0 mss 1000
    0.040 < SA 0:0 ack 1 mss 1000
    0.041 > A 1:1001 ack 1
    0.081 < A 1:1 ack 1001
    0.082 > A 1001:2001 ack 1
  )");
  EXPECT_FALSE(followed.summary());
  EXPECT_EQ(followed.tracker.residentBytes(), 0U);
}

TEST(ExchangeTracker, MemoryDoesNotGrowWithTheExchanges) {
  std::string text = "0.000 > S 0:0 mss 1460\n0.010 < SA 0:0 ack 1\n";
  std::size_t atThousand = 0;
  Followed followed(text);
  for (int index = 0; index < 2'000; ++index) {
    const double at = 1.0 + 0.1 * index;
    const int first = 1 + 10 * index;
    followed.exchange.add(fmt::format("{:.3f} > A {}:{} ack {}\n{:.3f} < A {}:{} ack {}\n", at, first, first + 10,
                                      first, at + 0.02, first, first + 10, first + 10));
    if (index == 1'000) atThousand = followed.tracker.residentBytes();
  }
  EXPECT_EQ(followed.summary()->count, 2'000U);
  EXPECT_EQ(followed.tracker.residentBytes(), atThousand);
}

}  // namespace
}  // namespace tcpscope
