#include "core/wire/flow/vantage.h"

namespace tcpscope {

namespace {

/// Within a host or a rack, the ends' own reaction is as long as the way.
constexpr Nanoseconds kShortestConclusiveRtt = std::chrono::microseconds(500);

}  // namespace

Vantage vantageOf(const VantageEvidence& evidence) {
  if (evidence.lossesBefore > 0 && evidence.lossesBehind > 0) return Vantage::middle;
  if (!evidence.toSender || !evidence.toReceiver) return Vantage::unknown;
  const Nanoseconds whole = *evidence.toSender + *evidence.toReceiver;
  if (whole < kShortestConclusiveRtt) return Vantage::unknown;
  // A tenth is an end's reaction, a quarter is a way. What lies between may be either.
  const double senderShare = toSeconds(*evidence.toSender) / toSeconds(whole);
  constexpr double kReaction = 0.1;
  constexpr double kWay = 0.25;
  if (senderShare <= kReaction) return evidence.lossesBefore > 0 ? Vantage::middle : Vantage::sender;
  if (senderShare >= 1 - kReaction) return evidence.lossesBehind > 0 ? Vantage::middle : Vantage::receiver;
  return senderShare >= kWay && senderShare <= 1 - kWay ? Vantage::middle : Vantage::unknown;
}

}  // namespace tcpscope
