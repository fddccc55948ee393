#include "core/wire/flow/vantage.h"

namespace tcpscope {

namespace {

/// Within a host or a rack, the ends' own reaction is as long as the way.
constexpr Nanoseconds kShortestTellingRoundTrip = std::chrono::microseconds(500);

}  // namespace

Vantage vantageOf(const VantageSigns& signs) {
  if (signs.lossesBefore > 0 && signs.lossesBehind > 0) return Vantage::middle;
  if (!signs.toSender || !signs.toReceiver) return Vantage::unknown;
  const Nanoseconds whole = *signs.toSender + *signs.toReceiver;
  if (whole < kShortestTellingRoundTrip) return Vantage::unknown;
  // A tenth is an end's reaction, a quarter is a way. What lies between may be either.
  const double senderShare = toSeconds(*signs.toSender) / toSeconds(whole);
  constexpr double kReaction = 0.1;
  constexpr double kWay = 0.25;
  if (senderShare <= kReaction) return signs.lossesBefore > 0 ? Vantage::middle : Vantage::sender;
  if (senderShare >= 1 - kReaction) return signs.lossesBehind > 0 ? Vantage::middle : Vantage::receiver;
  return senderShare >= kWay && senderShare <= 1 - kWay ? Vantage::middle : Vantage::unknown;
}

}  // namespace tcpscope
