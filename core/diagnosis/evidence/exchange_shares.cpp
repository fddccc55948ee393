#include "core/diagnosis/evidence/exchange_shares.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

/// Exchanges in the span, as one message of one direction follows each of the other: the direction with fewer segments
/// has about one each. Nothing for a stream with now and then a word from the other end.
std::optional<double> exchangesOf(const ConnectionEvidence& evidence) {
  constexpr std::uint64_t kEnough = 3;
  constexpr double kSegmentsEach = 100.0;
  if (!evidence.dataSegments || !evidence.oppositeSegments) return std::nullopt;
  const auto [fewer, more] = std::minmax(*evidence.dataSegments, *evidence.oppositeSegments);
  const auto exchanges = static_cast<double>(fewer);
  if (fewer < kEnough || static_cast<double>(more) > kSegmentsEach * exchanges) return std::nullopt;
  return exchanges;
}

/// The mean turn, and how far the mean of all turns may be from it.
struct Turn {
  double meanUs = 0.0;
  double errorUs = 0.0;
};

std::optional<Turn> turnOf(const SpanFigure& turns) {
  constexpr std::uint32_t kEnough = 5;
  // The kernel's clock of ages.
  constexpr double kResolutionUs = 1000.0;
  if (turns.count() < kEnough) return std::nullopt;
  const double spread = *turns.largest() - *turns.smallest();
  return Turn{*turns.mean(), kResolutionUs + spread / std::sqrt(static_cast<double>(turns.count()))};
}

/// One turn follows the other and fills the time. Of two streams at their own paces the turns add up to less, of
/// messages of many segments to more.
bool turnsFillTheTime(double exchanges, double wholeUs, Nanoseconds span) {
  constexpr double kTooLittle = 0.7;
  constexpr double kTooMuch = 1.5;
  const double filled = exchanges * wholeUs / (toSeconds(span) * 1e6);
  return filled >= kTooLittle && filled <= kTooMuch;
}

}  // namespace

std::optional<ExchangeShares> exchangeShares(const ConnectionEvidence& evidence) {
  const auto exchanges = exchangesOf(evidence);
  const auto trip = rtt(evidence);
  const auto here = turnOf(evidence.ownTurnUs);
  const auto away = turnOf(evidence.peersTurnUs);
  if (!exchanges || !trip || !here || !away) return std::nullopt;
  const double wholeUs = here->meanUs + away->meanUs;
  if (!turnsFillTheTime(*exchanges, wholeUs, evidence.span())) return std::nullopt;
  const double error = (away->meanUs * here->errorUs + here->meanUs * away->errorUs) / (wholeUs * wholeUs);
  constexpr double kSaysSomething = 0.25;
  if (error > kSaysSomething) return std::nullopt;
  ExchangeShares shares;
  shares.here = here->meanUs / wholeUs;
  // A response that comes with the acknowledgment lengthens the smoothed RTT by the peer's own time.
  shares.path = std::min(1.0 - shares.here, trip->smallestUs / wholeUs);
  shares.peer = 1.0 - shares.here - shares.path;
  shares.uncertainty = error;
  shares.exchangesPerSecond = *exchanges / toSeconds(evidence.span());
  return shares;
}

std::vector<Evidence> figuresOf(const ExchangeShares& shares) {
  return {{"exchanges_per_second", shares.exchangesPerSecond, std::nullopt, {}},
          {"this_end_ratio", shares.here, std::nullopt, {}},
          {"path_ratio", shares.path, std::nullopt, {}},
          {"peer_ratio", shares.peer, shares.uncertainty, "uncertainty_ratio"}};
}

}  // namespace tcpscope
