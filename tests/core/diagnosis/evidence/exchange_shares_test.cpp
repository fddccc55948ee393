// Who is slow where requests and responses alternate, from the ages of one socket.
#include "core/diagnosis/evidence/exchange_shares.h"

#include <gtest/gtest.h>

#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::Growth;
using test::ObservationBuilder;
using test::Situation;

/// Exchanges over an RTT of 20 ms, of which this end takes `here` and the other `away`, the RTT included; sampled after
/// each turn.
Situation exchanges(int count, milliseconds here, milliseconds away, std::uint32_t segmentsOfResponse = 1) {
  Situation situation([](ObservationBuilder& socket) {
    socket.rtt(milliseconds(60), milliseconds(20)).applicationLimited(true).inFlight(0).notSent(0);
  });
  Growth request;
  request.acked = 600;
  request.segmentsOut = 1;
  Growth response;
  response.received = 200 * segmentsOfResponse;
  response.segmentsIn = segmentsOfResponse;
  const auto arrives = [&](ObservationBuilder& socket) { socket.dataAges(away, milliseconds(0)); };
  const auto sends = [&](ObservationBuilder& socket) { socket.dataAges(milliseconds(0), here); };
  for (int exchange = 0; exchange < count; ++exchange) {
    situation.step(away, response, arrives).step(here, request, sends);
  }
  return situation;
}

std::optional<ExchangeShares> sharesOf(const Situation& situation) {
  return exchangeShares(kernelEvidence(situation.socket(), situation.window(), Side::sending));
}

TEST(ExchangeShares, DivideTheTimeAmongThisEndThePathAndThePeer) {
  // 20 ms on the path, 60 ms at the peer, 20 ms here.
  const auto shares = sharesOf(exchanges(20, milliseconds(20), milliseconds(80)));
  ASSERT_TRUE(shares);
  EXPECT_NEAR(shares->here, 0.2, 0.02);
  EXPECT_NEAR(shares->path, 0.2, 0.02);
  EXPECT_NEAR(shares->peer, 0.6, 0.02);
  EXPECT_NEAR(shares->exchangesPerSecond, 10.0, 0.5);
}

TEST(ExchangeShares, AreUncertainWhereTheTurnsDiffer) {
  const auto steady = sharesOf(exchanges(20, milliseconds(20), milliseconds(80)));
  Situation varied = exchanges(10, milliseconds(20), milliseconds(80));
  Growth response;
  response.received = 200;
  response.segmentsIn = 1;
  varied.step(milliseconds(400), response,
              [](ObservationBuilder& socket) { socket.dataAges(milliseconds(400), milliseconds(0)); });
  const auto uncertain = sharesOf(varied);
  ASSERT_TRUE(steady && uncertain);
  EXPECT_GT(uncertain->uncertainty, steady->uncertainty);
}

struct QuickClient {
  std::chrono::microseconds rtt{50};
  /// Of the request, when the sample is taken.
  std::uint32_t unacknowledged = 0;
  std::uint32_t segmentsOfResponse = 1;
  milliseconds eachTakes{100};
};

/// A client that sends the next request as soon as it has the response: every sample shows both at the same tick.
Situation quickExchanges(const QuickClient& client) {
  Situation situation([&](ObservationBuilder& socket) {
    socket.rtt(client.rtt, client.rtt).applicationLimited(true).inFlight(client.unacknowledged).notSent(0);
  });
  Growth exchange;
  exchange.acked = 600;
  exchange.segmentsOut = 1;
  exchange.received = 200;
  exchange.segmentsIn = client.segmentsOfResponse;
  const milliseconds age = client.eachTakes / 2;
  for (int step = 0; step < 20; ++step) {
    situation.step(client.eachTakes, exchange, [&](ObservationBuilder& socket) { socket.dataAges(age, age); });
  }
  return situation;
}

TEST(ExchangeShares, AreThePeersWhereThisEndAnswersAtOnce) {
  const auto shares = sharesOf(quickExchanges({.unacknowledged = 1, .eachTakes = milliseconds(40)}));
  ASSERT_TRUE(shares);
  EXPECT_GT(shares->peer, 0.95);
  EXPECT_NEAR(shares->exchangesPerSecond, 25.0, 1.0);
}

TEST(ExchangeShares, AreThePeersWhereNoAnswerComesWithinATick) {
  const auto shares = sharesOf(quickExchanges({.rtt = milliseconds(20)}));
  ASSERT_TRUE(shares);
  EXPECT_NEAR(shares->path, 0.2, 0.02);
  EXPECT_NEAR(shares->peer, 0.8, 0.02);
}

TEST(ExchangeShares, AreUnknownWhereThePeersMessagesComeInPieces) {
  EXPECT_FALSE(sharesOf(quickExchanges({.rtt = milliseconds(20), .segmentsOfResponse = 2})))
      << "Nagle's algorithm may delay the second";
}

TEST(ExchangeShares, AreUnknownWhereEitherMayHaveComeLast) {
  EXPECT_FALSE(sharesOf(quickExchanges({})));
}

TEST(ExchangeShares, AreNoneOfAFewTurns) {
  EXPECT_FALSE(sharesOf(exchanges(2, milliseconds(20), milliseconds(80))));
}

TEST(ExchangeShares, AreNoneWhereResponsesAreSoLongThatThePathMayTakeTheirTime) {
  EXPECT_TRUE(sharesOf(exchanges(20, milliseconds(20), milliseconds(80), 3)));
  EXPECT_FALSE(sharesOf(exchanges(20, milliseconds(20), milliseconds(80), 40)));
}

TEST(ExchangeShares, AreTheVerdictOfAConnectionWhoseResponsesAreItsBulk) {
  const auto diagnosis = exchanges(20, milliseconds(20), milliseconds(80), 6).diagnosis();
  EXPECT_EQ(diagnosis.bulk, Side::sending);
  EXPECT_EQ(diagnosis.verdict.limit, Limit::application);
  ASSERT_TRUE(diagnosis.verdict.exchanges);
  EXPECT_EQ(slowestOf(*diagnosis.verdict.exchanges), SlowPart::peer);
}

TEST(ExchangeShares, DoNotDependOnWhenTheSocketIsPolled) {
  // Always just behind an arrival, and now and then behind what was sent.
  Situation situation = exchanges(5, milliseconds(20), milliseconds(80));
  Growth response;
  response.received = 200;
  response.segmentsIn = response.segmentsOut = 1;
  situation.repeat(20, milliseconds(100), response,
                   [](ObservationBuilder& socket) { socket.dataAges(milliseconds(80), milliseconds(0)); });
  EXPECT_NEAR(sharesOf(situation)->here, 0.2, 0.02);
}

TEST(ExchangeShares, AServerThatAnswersAtOnceTakesNoTime) {
  // What it sends leaves in the same millisecond in which the request arrived.
  Situation server([](ObservationBuilder& socket) { socket.rtt(milliseconds(20), milliseconds(20)); });
  Growth request;
  request.received = 200;
  request.segmentsIn = 1;
  Growth response;
  response.acked = 600;
  response.segmentsOut = 1;
  for (int exchange = 0; exchange < 20; ++exchange) {
    server.step(milliseconds(49), request,
                [](ObservationBuilder& socket) { socket.dataAges(milliseconds(50), milliseconds(0)); });
    server.step(milliseconds(1), response,
                [](ObservationBuilder& socket) { socket.dataAges(milliseconds(0), milliseconds(0)); });
  }
  const auto shares = sharesOf(server);
  ASSERT_TRUE(shares);
  EXPECT_NEAR(shares->here, 0.0, 0.03);
  EXPECT_NEAR(shares->path, 0.4, 0.03);
  EXPECT_NEAR(shares->peer, 0.6, 0.03);
}

TEST(ExchangeShares, AreNoneOfAStream) {
  Situation stream([](ObservationBuilder& socket) { socket.rtt(milliseconds(20), milliseconds(20)); });
  stream.repeat(30, milliseconds(100), test::busyStep());
  EXPECT_FALSE(sharesOf(stream));
}

TEST(ExchangeShares, AreNoneOfTwoStreamsAtTheirOwnPaces) {
  // A message goes out every 10 ms and one arrives every 100 ms, whatever the other direction does.
  Situation streams([](ObservationBuilder& socket) { socket.rtt(milliseconds(20), milliseconds(20)); });
  Growth sent;
  sent.acked = 500;
  sent.segmentsOut = 1;
  Growth arrived;
  arrived.received = 200;
  arrived.segmentsIn = 1;
  for (int round = 0; round < 20; ++round) {
    streams.step(milliseconds(5), arrived,
                 [](ObservationBuilder& socket) { socket.dataAges(milliseconds(5), milliseconds(0)); });
    for (int send = 0; send < 10; ++send) {
      const milliseconds sinceArrival(5 + 10 * send);
      streams.step(milliseconds(send == 0 ? 5 : 10), sent,
                   [&](ObservationBuilder& socket) { socket.dataAges(milliseconds(0), sinceArrival); });
    }
  }
  EXPECT_FALSE(sharesOf(streams));
}

constexpr std::size_t kRequests = 0;
constexpr std::size_t kResponses = 1;

/// Of 100 s: the client 10, the path 30, the server 40, requests 5, responses 15.
ExchangeSummary capturedExchanges() {
  ExchangeSummary seen;
  seen.count = 50;
  seen.client = std::chrono::seconds(10);
  seen.network = std::chrono::seconds(30);
  seen.server = std::chrono::seconds(40);
  seen.requestTransfer = std::chrono::seconds(5);
  seen.responseTransfer = std::chrono::seconds(15);
  return seen;
}

TEST(ExchangeShares, OfACaptureAreTheClientsAndTheServersInBothDirections) {
  for (const std::size_t direction : {kRequests, kResponses}) {
    const auto shares = exchangeShares(capturedExchanges(), direction);
    ASSERT_TRUE(shares);
    EXPECT_DOUBLE_EQ(shares->here, 0.15) << "the client";
    EXPECT_DOUBLE_EQ(shares->path, 0.3);
    EXPECT_DOUBLE_EQ(shares->peer, 0.55) << "the server";
    EXPECT_EQ(shares->exchangesPerSecond, 0.5);
    EXPECT_EQ(shares->uncertainty, 0.0);
  }
}

TEST(ExchangeShares, OfACaptureAreNoneOfTheClientWhereResponsesTakeLongToTransfer) {
  ExchangeSummary seen = capturedExchanges();
  seen.responseTransfer = std::chrono::seconds(60);
  EXPECT_FALSE(exchangeShares(seen, kRequests));
  // What the server sends is its own direction, with a verdict of its own.
  EXPECT_TRUE(exchangeShares(seen, kResponses));
}

TEST(ExchangeShares, OfACaptureAreNoneOfOneExchange) {
  ExchangeSummary seen = capturedExchanges();
  seen.count = 1;
  EXPECT_FALSE(exchangeShares(seen, kRequests));
}

TEST(ExchangeShares, ComeBackFromTheirFigures) {
  for (const bool isOfCapture : {false, true}) {
    const auto back = exchangeSharesIn(figuresOf({0.2, 0.3, 0.5, 0.04, 9.5, isOfCapture}));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->here, 0.2);
    EXPECT_EQ(back->path, 0.3);
    EXPECT_EQ(back->peer, 0.5);
    EXPECT_EQ(back->uncertainty, 0.04);
    EXPECT_EQ(back->exchangesPerSecond, 9.5);
    EXPECT_EQ(back->isOfCapture, isOfCapture);
  }
  EXPECT_FALSE(exchangeSharesIn({}));
}

TEST(ExchangeShares, AreInTheFindingAboutTheApplication) {
  const auto diagnosis = exchanges(20, milliseconds(20), milliseconds(80)).diagnosis();
  ASSERT_TRUE(diagnosis.sending);
  ASSERT_EQ(diagnosis.sending->findings.size(), 1U);
  const Finding& finding = diagnosis.sending->findings.front();
  EXPECT_EQ(finding.rule, RuleId::applicationTooSlow);
  EXPECT_EQ(finding.evidence.back().key, "peer_ratio");
  EXPECT_NEAR(finding.evidence.back().value, 0.6, 0.02);
}

}  // namespace
}  // namespace tcpscope
