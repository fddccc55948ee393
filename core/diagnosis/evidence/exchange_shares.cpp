#include "core/diagnosis/evidence/exchange_shares.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

constexpr std::uint64_t kFewestExchanges = 3;

/// Exchanges in the span, as one message of one direction follows each of the other: the direction with fewer segments
/// has about one each. Nothing for a stream with now and then a word from the other end, nor where the peer's messages
/// are so long that the path, and not the peer, may take the time of their transfer.
std::optional<double> exchangesOf(const ConnectionEvidence& evidence) {
  constexpr double kOwnSegmentsEach = 100.0;
  constexpr double kPeersSegmentsEach = 10.0;
  if (!evidence.dataSegments || !evidence.oppositeSegments) return std::nullopt;
  const auto own = static_cast<double>(*evidence.dataSegments);
  const auto peers = static_cast<double>(*evidence.oppositeSegments);
  const double exchanges = std::min(own, peers);
  if (exchanges < kFewestExchanges || own > kOwnSegmentsEach * exchanges || peers > kPeersSegmentsEach * exchanges) {
    return std::nullopt;
  }
  return exchanges;
}

/// The kernel's clock of ages, at its usual 250 Hz.
constexpr double kResolutionUs = 4000.0;

/// The mean turn, and how far the mean of all turns may be from it.
struct Turn {
  double meanUs = 0.0;
  double errorUs = 0.0;
};

std::optional<Turn> turnOf(const SpanFigure& turns) {
  constexpr std::uint32_t kEnough = 3;
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

struct Turns {
  Turn here;
  Turn away;
};

std::optional<Turns> measuredTurns(const ConnectionEvidence& evidence, double exchanges) {
  const auto here = turnOf(evidence.ownTurnUs);
  const auto away = turnOf(evidence.peersTurnUs);
  if (!here || !away || !turnsFillTheTime(exchanges, here->meanUs + away->meanUs, evidence.span())) return std::nullopt;
  return Turns{*here, *away};
}

/// One end answers at once, so that hardly any sample falls into its turn: the rest of the time is the other's.
std::optional<Turn> restOfTheTime(const SpanFigure& quick, const SpanFigure& other, double exchanges,
                                  Nanoseconds span) {
  constexpr std::uint32_t kEnough = 6;
  constexpr std::uint32_t kHardlyAny = 8;
  const auto turn = turnOf(quick);
  if (!turn || quick.count() < kEnough || other.count() * kHardlyAny > quick.count()) return std::nullopt;
  const double wholeUs = toSeconds(span) * 1e6 / exchanges;
  if (turn->meanUs > kResolutionUs || turn->meanUs + turn->errorUs > wholeUs) return std::nullopt;
  return Turn{wholeUs - turn->meanUs, turn->errorUs};
}

std::optional<Turns> turnsOf(const ConnectionEvidence& evidence, double exchanges) {
  if (const auto turns = measuredTurns(evidence, exchanges)) return turns;
  const SpanFigure& own = evidence.ownTurnUs;
  const SpanFigure& peers = evidence.peersTurnUs;
  // In pieces messages may wait for acknowledgments, and not for a program.
  constexpr double kInPieces = 1.2;
  const std::uint64_t larger = std::max(*evidence.dataSegments, *evidence.oppositeSegments);
  if (static_cast<double>(larger) > kInPieces * exchanges) return std::nullopt;
  const Nanoseconds span = evidence.span();
  if (const auto away = restOfTheTime(own, peers, exchanges, span)) return Turns{*turnOf(own), *away};
  if (const auto here = restOfTheTime(peers, own, exchanges, span)) return Turns{*here, *turnOf(peers)};
  return std::nullopt;
}

}  // namespace

std::optional<ExchangeShares> exchangeShares(const ConnectionEvidence& evidence) {
  if (evidence.exchanges) return evidence.exchanges;
  const auto exchanges = exchangesOf(evidence);
  const auto trip = rtt(evidence);
  const auto turns = exchanges ? turnsOf(evidence, *exchanges) : std::nullopt;
  if (!turns || !trip) return std::nullopt;
  const auto& [here, away] = *turns;
  const double wholeUs = here.meanUs + away.meanUs;
  const double error = (away.meanUs * here.errorUs + here.meanUs * away.errorUs) / (wholeUs * wholeUs);
  constexpr double kSaysSomething = 0.25;
  if (error > kSaysSomething) return std::nullopt;
  ExchangeShares shares;
  shares.here = here.meanUs / wholeUs;
  // A response that comes with the acknowledgment lengthens the smoothed RTT by the peer's own time.
  shares.path = std::min(1.0 - shares.here, trip->smallestUs / wholeUs);
  shares.peer = 1.0 - shares.here - shares.path;
  shares.uncertainty = error;
  shares.exchangesPerSecond = *exchanges / toSeconds(evidence.span());
  return shares;
}

std::optional<ExchangeShares> exchangeShares(const ExchangeSummary& seen, std::size_t direction) {
  const double whole = toSeconds(seen.whole());
  if (seen.count < kFewestExchanges || whole <= 0.0) return std::nullopt;
  // How fast the other direction is has a verdict of its own; so has a message that lasts, as of a server that pushes.
  constexpr double kShort = 0.2;
  constexpr double kMessage = 0.5;
  const Nanoseconds own = direction == 0 ? seen.requestTransfer : seen.responseTransfer;
  const Nanoseconds opposite = direction == 0 ? seen.responseTransfer : seen.requestTransfer;
  if (toSeconds(opposite) > kShort * whole || toSeconds(own) > kMessage * whole) return std::nullopt;
  ExchangeShares shares;
  shares.isOfCapture = true;
  shares.here = toSeconds(seen.client + seen.requestTransfer) / whole;
  shares.path = toSeconds(seen.network) / whole;
  shares.peer = toSeconds(seen.server + seen.responseTransfer) / whole;
  shares.exchangesPerSecond = static_cast<double>(seen.count) / whole;
  return shares;
}

std::string_view name(SlowPart part) {
  switch (part) {
    case SlowPart::here:
      return "here";
    case SlowPart::path:
      return "path";
    case SlowPart::peer:
      return "peer";
  }
  return "";
}

SlowPart slowestOf(const ExchangeShares& shares) {
  if (shares.peer >= shares.here && shares.peer >= shares.path) return SlowPart::peer;
  return shares.path > shares.here ? SlowPart::path : SlowPart::here;
}

double shareOf(const ExchangeShares& shares, SlowPart part) {
  if (part == SlowPart::here) return shares.here;
  return part == SlowPart::path ? shares.path : shares.peer;
}

std::vector<Evidence> figuresOf(const ExchangeShares& shares) {
  Evidence peer{shares.isOfCapture ? "server_ratio" : "peer_ratio", shares.peer, std::nullopt, {}};
  if (shares.uncertainty > 0.0) {
    peer.comparedWith = shares.uncertainty;
    peer.comparedWithKey = "uncertainty_ratio";
  }
  return {{"exchanges_per_second", shares.exchangesPerSecond, std::nullopt, {}},
          {shares.isOfCapture ? "client_ratio" : "this_end_ratio", shares.here, std::nullopt, {}},
          {"path_ratio", shares.path, std::nullopt, {}},
          peer};
}

std::optional<ExchangeShares> exchangeSharesIn(const std::vector<Evidence>& figures) {
  const Evidence* rate = figureOf(figures, "exchanges_per_second");
  const Evidence* client = figureOf(figures, "client_ratio");
  const Evidence* here = client != nullptr ? client : figureOf(figures, "this_end_ratio");
  const Evidence* path = figureOf(figures, "path_ratio");
  const Evidence* peer = figureOf(figures, client != nullptr ? "server_ratio" : "peer_ratio");
  if (rate == nullptr || here == nullptr || path == nullptr || peer == nullptr) return std::nullopt;
  return ExchangeShares{here->value, path->value,      peer->value, peer->comparedWith.value_or(0.0),
                        rate->value, client != nullptr};
}

}  // namespace tcpscope
