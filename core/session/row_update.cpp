#include "core/session/row_update.h"

#include <cmath>
#include <limits>

namespace tcpscope {

namespace {

constexpr float kNotKnown = std::numeric_limits<float>::quiet_NaN();

float rate(const std::optional<BitsPerSecond>& value) {
  return value ? static_cast<float>(value->value()) : kNotKnown;
}

/// Whole percent whose sum is 100 where anything was observed: the largest share takes the rounding.
LimitBar limitBar(const LimitShares& shares) {
  LimitBar bar;
  if (shares.observed() <= Nanoseconds::zero()) return bar;
  int sum = 0;
  for (const Limit limit : kLimits) {
    const int percent = static_cast<int>(std::lround(shares.ratio(limit) * 100.0));
    bar.percent[static_cast<std::size_t>(limit)] = static_cast<std::uint8_t>(percent);
    sum += percent;
  }
  auto& largest = bar.percent[static_cast<std::size_t>(shares.largest())];
  largest = static_cast<std::uint8_t>(largest + 100 - sum);
  return bar;
}

void fillIdentity(const TrackedConnection& tracked, ConnectionRow& row) {
  const SocketObservation& socket = tracked.last;
  row.id = socket.id;
  row.local = socket.local;
  row.remote = socket.remote;
  row.state = socket.state;
  row.closed = tracked.closedAt.has_value();
  row.closedAt = tracked.closedAt.value_or(Moment());
  row.ownerIndex = tracked.ownerIndex;
  row.congestionControl = socket.congestionControl;
  row.userId = socket.userId;
  row.firstSeen = tracked.firstSeen;
  const auto rtt = socket.info.rtt();
  row.rttUs = rtt && rtt->count() > 0 ? static_cast<float>(rtt->count()) : kNotKnown;
}

/// No activity: silent since the last sample, or seen only once.
void fillWithoutActivity(bool seenSilent, ConnectionRow& row) {
  row.limit = seenSilent ? Limit::idle : Limit::unknown;
  row.cause = Cause::unknown;
  row.confidenceRatio = seenSilent ? 1.0F : 0.0F;
  row.sendRateBps = row.receiveRateBps = seenSilent ? 0.0F : kNotKnown;
  row.possibleRateBps = row.retransmittedRatio = kNotKnown;
  row.sparkline = {};
  row.sparklineTopBps = 0.0F;
  LimitShares shares;
  if (seenSilent) shares.add(Limit::idle, std::chrono::seconds(1));
  row.limits = limitBar(shares);
}

/// Mean over the window, for a connection whose steps are so short that their own rates leap about.
float meanRate(bool reported, std::uint64_t bytes, const WindowStatistics& window) {
  if (!reported || window.span() <= Nanoseconds::zero()) return kNotKnown;
  return static_cast<float>(BitsPerSecond::from(Bytes(bytes), window.span()).value());
}

void fillRates(const TrackedConnection& tracked, const WindowStatistics& window, ConnectionRow& row) {
  if (tracked.watched) {
    const TcpInfoSample& info = tracked.last.info;
    row.sendRateBps = meanRate(info.bytesAcked().has_value(), window.ackedBytes, window);
    row.receiveRateBps = meanRate(info.bytesReceived().has_value(), window.receivedBytes, window);
  } else {
    row.sendRateBps = rate(tracked.activity->interval().sendGoodput);
    row.receiveRateBps = rate(tracked.activity->interval().receiveGoodput);
  }
}

void fillActivity(const TrackedConnection& tracked, ConnectionRow& row) {
  const WindowStatistics window = tracked.activity->window();
  const Verdict verdict = verdictOf(tracked.last, window);
  row.bulk = bulkSide(tracked.last, window);
  row.limit = verdict.limit;
  row.cause = verdict.cause;
  row.confidenceRatio = static_cast<float>(verdict.confidenceRatio);
  row.possibleRateBps = rate(verdict.possible);
  fillRates(tracked, window, row);
  row.retransmittedRatio = window.dataSegmentsOut == 0 ? kNotKnown
                                                       : static_cast<float>(window.retransmittedSegments) /
                                                             static_cast<float>(window.dataSegmentsOut);
  row.limits = limitBar(row.bulk == Side::sending ? window.sending : window.receiving);
  tracked.activity->drawSparkline(row);
}

}  // namespace

void updateRow(const TrackedConnection& tracked, Moment seenUntil, ConnectionRow& row) {
  fillIdentity(tracked, row);
  if (tracked.activity) {
    fillActivity(tracked, row);
  } else {
    fillWithoutActivity(tracked.closedAt || seenUntil > tracked.last.takenAt, row);
  }
}

}  // namespace tcpscope
