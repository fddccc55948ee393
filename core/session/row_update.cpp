#include "core/session/row_update.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/waiting_verdict.h"
#include "core/model/current_rtt.h"
#include "core/session/verdict_severity.h"

namespace tcpscope {

namespace {

ConnectionFacts factsOf(const TrackedConnection& tracked, const SocketObservation& last) {
  ConnectionFacts facts;
  facts.id = last.id;
  facts.local = last.local;
  facts.remote = last.remote;
  facts.congestionControl = last.congestionControl;
  facts.userId = last.userId;
  facts.ownerIndex = tracked.ownerIndex;
  facts.firstSeen = tracked.firstSeen;
  facts.closedAt = tracked.closedAt.value_or(Moment());
  facts.state = last.state;
  facts.closed = tracked.closedAt.has_value();
  facts.unheard = tracked.unheard;
  return facts;
}

void fillVerdict(const Verdict& verdict, ConnectionFigures& figures) {
  figures.limit = verdict.limit;
  figures.cause = verdict.cause;
  figures.confidenceRatio = static_cast<float>(verdict.confidenceRatio);
  figures.nextLimitBps = rateFigure(verdict.next);
  figures.exchanges = exchangeBar(verdict);
}

/// The last packet of the peer, where no timer makes the kernel ask it for one.
std::optional<Moment> silentSince(const SocketObservation& last, Limit limit) {
  const auto age = last.info.lastAckRecv();
  const bool isIdle = last.state == TcpState::established && limit == Limit::idle;
  return isIdle && age && !last.timer ? std::optional(last.takenAt - *age) : std::nullopt;
}

std::optional<Moment> waitingSince(const SocketObservation& last, Limit limit) {
  const bool isHalfClosed = last.state == TcpState::closeWait || last.state == TcpState::finWait2;
  if (hasShare(limit) && !isHalfClosed) return std::nullopt;
  const auto silence = silenceOfPeer(kernelEvidence(last, {}, Side::sending));
  return silence ? std::optional(last.takenAt - *silence) : std::nullopt;
}

/// No activity: silent since the last sample, or seen only once.
void fillWithoutActivity(bool seenSilent, const SocketObservation& last, ConnectionFigures& figures) {
  figures.limit = seenSilent ? Limit::idle : Limit::unknown;
  figures.confidenceRatio = seenSilent ? 1.0F : 0.0F;
  figures.sendRateBps = figures.receiveRateBps = seenSilent ? 0.0F : kUnknownFigure;
  figures.nextLimitBps = figures.retransmittedRatio = kUnknownFigure;
  LimitShares shares;
  if (seenSilent) shares.add(Limit::idle, std::chrono::seconds(1));
  figures.limits = limitBar(shares);
  if (const auto waiting = waitingVerdict(last, {})) fillVerdict(*waiting, figures);
}

/// Mean over the window, for a connection whose steps are so short that their own rates leap about.
float meanRate(const std::optional<std::uint64_t>& bytes, const WindowStatistics& window) {
  if (!bytes || window.span() <= Nanoseconds::zero()) return kUnknownFigure;
  return static_cast<float>(BitsPerSecond::from(Bytes(*bytes), window.span()).value());
}

void fillRates(const TrackedConnection& tracked, const WindowStatistics& window, ConnectionFigures& figures) {
  if (tracked.watched) {
    figures.sendRateBps = meanRate(window.ackedBytes, window);
    figures.receiveRateBps = meanRate(window.receivedBytes, window);
  } else {
    figures.sendRateBps = rateFigure(tracked.activity->interval().sendGoodput);
    figures.receiveRateBps = rateFigure(tracked.activity->interval().receiveGoodput);
  }
}

void fillActivity(const TrackedConnection& tracked, const SocketObservation& last, ConnectionFigures& figures) {
  const WindowStatistics window = tracked.activity->window();
  const JudgedVerdict judged = judge(last, window);
  figures.bulk = judged.side;
  fillVerdict(judged.verdict, figures);
  fillRates(tracked, window, figures);
  const bool isCounted = window.retransmittedSegments && window.dataSegmentsOut > 0U;
  figures.retransmittedRatio =
      isCounted ? static_cast<float>(*window.retransmittedSegments) / static_cast<float>(*window.dataSegmentsOut)
                : kUnknownFigure;
  figures.limits = limitBar(figures.bulk == Side::sending ? window.sending : window.receiving);
  tracked.activity->drawSparkline(figures);
}

}  // namespace

float rateFigure(const std::optional<BitsPerSecond>& rate) {
  return rate ? static_cast<float>(rate->value()) : kUnknownFigure;
}

float rateFigure(const std::optional<NextLimit>& next) {
  return rateFigure(next ? std::optional(next->rate) : std::nullopt);
}

LimitBar limitBar(const LimitShares& shares) {
  LimitBar bar;
  const Nanoseconds whole = shares.observed();
  if (whole <= Nanoseconds::zero()) return bar;
  int sum = 0;
  for (const Limit limit : kLimits) {
    const Nanoseconds span = shares.span(limit);
    if (span == Nanoseconds::zero()) continue;
    const double share = static_cast<double>(span.count()) / static_cast<double>(whole.count());
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): no share is negative
    const int percent = static_cast<int>(100.0 * share + 0.5);
    bar.percent[static_cast<std::size_t>(limit)] = static_cast<std::uint8_t>(percent);
    sum += percent;
  }
  auto& largest = bar.percent[static_cast<std::size_t>(shares.largest())];
  largest = static_cast<std::uint8_t>(largest + 100 - sum);
  return bar;
}

ExchangeBar exchangeBar(const Verdict& verdict) {
  if (!verdict.exchanges) return {};
  const ExchangeShares& shares = *verdict.exchanges;
  const auto percent = [](double share) { return static_cast<std::uint8_t>(std::lround(100.0 * share)); };
  ExchangeBar bar;
  bar.localIsClient = shares.isOfCapture;
  bar.local = percent(shares.here);
  bar.path = percent(shares.path);
  // The rounding is the last one's.
  bar.remote = static_cast<std::uint8_t>(std::max(100 - bar.local - bar.path, 0));
  return bar;
}

ConnectionRow rowOf(const TrackedConnection& tracked, const SocketObservation& last) {
  ConnectionRow row{factsOf(tracked, last), {}};
  const auto rtt = currentRtt(last.info);
  const auto bytes = [](const auto& counter) {
    return counter ? static_cast<float>(counter->value()) : kUnknownFigure;
  };
  row.sentBytes = bytes(last.info.bytesAcked());
  row.receivedBytes = bytes(last.info.bytesReceived());
  row.rttUs = rtt && !tracked.unheard ? static_cast<float>(rtt->time.count()) : kUnknownFigure;
  row.isRttOld = rtt && rtt->isOld;
  if (tracked.unheard) {
    fillWithoutActivity(false, {}, row);
  } else if (tracked.activity) {
    fillActivity(tracked, last, row);
  } else {
    fillWithoutActivity(tracked.seenSilent, last, row);
  }
  row.severity = severityOf(row, row);
  row.waitingSince = waitingSince(last, row.limit);
  row.silentSince = silentSince(last, row.limit);
  return row;
}

}  // namespace tcpscope
