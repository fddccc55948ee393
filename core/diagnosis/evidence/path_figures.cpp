#include "core/diagnosis/evidence/path_figures.h"

#include <algorithm>

#include "core/diagnosis/limits/loss_response.h"
#include "core/diagnosis/limits/socket_state.h"
#include "core/model/segment_size.h"

namespace tcpscope {

namespace {

/// Of the retransmitted segments.
std::uint64_t unneeded(const ConnectionEvidence& evidence) {
  return std::max(evidence.duplicateSegments.value_or(0), evidence.spuriousSegments.value_or(0));
}

}  // namespace

std::optional<Rtt> rtt(const ConnectionEvidence& evidence) {
  const auto mean = evidence.rttUs.mean();
  if (!mean) return std::nullopt;
  const double smallestSampled = *evidence.rttUs.smallest();
  const double smallest =
      evidence.minRtt ? std::min(static_cast<double>(evidence.minRtt->count()), smallestSampled) : smallestSampled;
  return Rtt{*mean, smallest};
}

std::optional<Rtt> rttOfDataPath(const ConnectionEvidence& evidence) {
  auto trip = rtt(evidence);
  if (!trip || !evidence.returnQueue) return trip;
  // Both are measured against a quickest packet, and not the same one: so small a rest shows no queue of the data's.
  constexpr double kRest = 0.25;
  const double queueUs = trip->queueUs();
  const double ofDataUs = queueUs - std::min(static_cast<double>(evidence.returnQueue->count()), queueUs);
  trip->meanUs = trip->smallestUs + (ofDataUs > kRest * queueUs ? ofDataUs : 0.0);
  return trip;
}

bool queueIsOnReturnPath(const ConnectionEvidence& evidence) {
  const auto trip = rtt(evidence);
  const auto ofData = rttOfDataPath(evidence);
  return trip && pathHasQueue(*trip) && ofData->queueUs() * 2 <= trip->queueUs();
}

std::optional<std::uint64_t> neededRetransmissions(const ConnectionEvidence& evidence) {
  const auto& retransmitted = evidence.retransmittedSegments;
  if (!retransmitted) return std::nullopt;
  return *retransmitted - std::min(*retransmitted, unneeded(evidence));
}

std::optional<Retransmissions> retransmissions(const ConnectionEvidence& evidence) {
  if (!evidence.retransmittedSegments) return std::nullopt;
  const std::uint64_t byTimer = evidence.needlessTimerSegments;
  return Retransmissions{*evidence.retransmittedSegments + byTimer,
                         std::min(*evidence.retransmittedSegments, unneeded(evidence)) + byTimer};
}

std::vector<Evidence> retransmissionFigures(const ConnectionEvidence& evidence) {
  const auto counts = retransmissions(evidence);
  const std::uint64_t sent = evidence.dataSegments.value_or(0);
  if (!counts || sent == 0) return {};
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  std::vector<Evidence> figures = {{"retransmitted_ratio", number(counts->all) / number(sent), std::nullopt, {}}};
  if (counts->spurious == 0) return figures;
  figures.push_back({"spurious_segments", number(counts->spurious), number(counts->all), "retransmitted_segments"});
  figures.push_back({"loss_ratio", *lossRatio(evidence), std::nullopt, {}});
  return figures;
}

std::optional<double> lossRatio(const ConnectionEvidence& evidence) {
  const auto lost = neededRetransmissions(evidence);
  if (!lost || evidence.dataSegments.value_or(0) == 0) return std::nullopt;
  return static_cast<double>(*lost) / static_cast<double>(*evidence.dataSegments);
}

std::optional<BitsPerSecond> rateThatLossEventsAllow(const ConnectionEvidence& evidence) {
  constexpr std::uint64_t kEnoughEvents = 3;
  const auto trip = rtt(evidence);
  const std::uint64_t events = evidence.lossEvents.value_or(0);
  const std::uint64_t segments = evidence.dataSegments.value_or(0);
  if (!trip || !evidence.mss || events < kEnoughEvents || segments <= events) return std::nullopt;
  const double rttSeconds = trip->meanUs / 1e6;
  const double window = cubicWindow(rttSeconds, static_cast<double>(events) / static_cast<double>(segments));
  return BitsPerSecond::fromBytesPerSecond(window * static_cast<double>(evidence.mss->value()) / rttSeconds);
}

bool outrunsItsLosses(const ConnectionEvidence& evidence) {
  constexpr double kSeveralTimes = 2.0;
  // Where one loss follows the other the flight after a repair, which then is seldom seen, says little.
  constexpr std::uint64_t kEnoughEvents = 8;
  const auto allowed = rateThatLossEventsAllow(evidence);
  const auto rate = goodputOf(evidence);
  return allowed && rate && evidence.lossEvents >= kEnoughEvents && rate->value() >= kSeveralTimes * allowed->value();
}

bool lossesAllowMore(const ConnectionEvidence& evidence) {
  constexpr double kSeveralTimes = 3.0;
  const auto allowed = rateThatLossEventsAllow(evidence);
  const auto rate = goodputOf(evidence);
  return allowed && rate && !hadTimeouts(evidence) && allowed->value() >= kSeveralTimes * rate->value();
}

bool retransmissionsWereSpurious(const ConnectionEvidence& evidence) {
  // Single duplicates are the price of tail loss probes, and no evidence of reordering.
  constexpr std::uint64_t kFewestDuplicates = 3;
  // So few take no time from a transfer: a busy host alone makes them.
  constexpr double kNegligible = 0.0005;
  const auto& duplicates = evidence.duplicateSegments;
  const auto& retransmitted = evidence.retransmittedSegments;
  if (!duplicates || !retransmitted || *duplicates < kFewestDuplicates || *duplicates * 2 <= *retransmitted) {
    return false;
  }
  const auto& data = evidence.dataSegments;
  return !data || static_cast<double>(*duplicates) >= kNegligible * static_cast<double>(*data);
}

std::optional<double> repairRatio(const ConnectionEvidence& evidence) {
  if (!evidence.recoverySamples || evidence.samples == 0) return std::nullopt;
  return static_cast<double>(*evidence.recoverySamples) / evidence.samples;
}

bool hadTimeouts(const ConnectionEvidence& evidence) {
  return evidence.timeouts ? *evidence.timeouts > 0 : evidence.limits.span(Limit::timeout) > Nanoseconds::zero();
}

bool pathHasQueue(const Rtt& rtt) {
  constexpr double kInflation = 1.25;
  // Scheduling and interrupt moderation delay packets within a host by some hundred microseconds.
  constexpr double kHostDelaysUs = 2000.0;
  return rtt.inflation() >= kInflation && rtt.queueUs() >= kHostDelaysUs;
}

double excessOfQueue(const Rtt& rtt) {
  // A queue of one RTT keeps the bottleneck busy through a halved window, and is no fault; on average it holds up to
  // one and a quarter RTTs' worth where it is a little longer than that.
  constexpr double kOrdinaryRtts = 1.25;
  constexpr double kTooManyRtts = 2.0;
  constexpr double kNoticeableUs = 20'000.0;
  if (rtt.queueUs() < kNoticeableUs) return 0.0;
  const double rtts = rtt.queueUs() / rtt.smallestUs;
  return std::clamp((rtts - kOrdinaryRtts) / (kTooManyRtts - kOrdinaryRtts), 0.0, 1.0);
}

bool queueFillsBeforeLoss(const ConnectionEvidence& evidence) {
  // Measured: 1.00 to 1.02 before a policer, 1.02 to 1.06 before a queue of a tenth of the path, 1.13 before one of a
  // quarter.
  constexpr double kRise = 1.06;
  const auto atLoss = evidence.rttAtLossUs.mean();
  const auto mean = evidence.rttUs.mean();
  return atLoss && mean && *atLoss >= kRise * *mean;
}

std::optional<BitsPerSecond> goodputOf(const ConnectionEvidence& evidence) {
  if (!evidence.bytes || evidence.span() <= Nanoseconds::zero()) return std::nullopt;
  return BitsPerSecond::from(Bytes(*evidence.bytes), evidence.span());
}

SendBufferWaits sendBufferWaits(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kEnoughSamples = 8;
  constexpr double kNearlyFull = 0.9;
  constexpr double kWokenAt = 2.0 / 3.0;
  const SpanFigure& fill = evidence.sendBufferFillRatio;
  if (fill.count() < kEnoughSamples) return SendBufferWaits::unknown;
  if (fill.mean() < kWokenAt) return SendBufferWaits::none;
  return fill.largest() < kNearlyFull ? SendBufferWaits::notSeen : SendBufferWaits::possible;
}

bool sendBufferBlockedNothing(const ConnectionEvidence& evidence) {
  const SendBufferWaits waits = sendBufferWaits(evidence);
  // The kernel enlarges a buffer that is not locked; a locked one that is used so far probably made its writer wait.
  return waits == SendBufferWaits::none || (waits == SendBufferWaits::notSeen && !evidence.hasLockedBuffer());
}

double writerBehindRatio(const ConnectionEvidence& evidence) {
  const double byApplication = evidence.limits.ratio(Limit::application) + evidence.limits.ratio(Limit::idle);
  return sendBufferBlockedNothing(evidence) ? byApplication + evidence.limits.ratio(Limit::sendBuffer) : byApplication;
}

bool readerIsAlwaysBehind(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kEnoughSamples = 8;
  constexpr double kGoodPart = 0.25;
  const auto least = evidence.unreadBytes.smallest();
  const auto window = evidence.receiveWindowBytes.largest();
  return evidence.unreadBytes.count() >= kEnoughSamples && least > 0.0 && window && *least >= kGoodPart * *window;
}

bool readerIsMostlyBehind(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kEnoughSamples = 8;
  constexpr double kMostSamples = 0.6;
  constexpr double kPartOfWindow = 0.15;
  const auto unread = evidence.unreadBytes.mean();
  const auto window = evidence.receiveWindowBytes.mean();
  const std::uint32_t samples = evidence.unreadBytes.count();
  return samples >= kEnoughSamples && evidence.unreadSamples.value_or(0) >= kMostSamples * samples && window &&
         *unread >= kPartOfWindow * *window;
}

double readerBehindRatio(const ConnectionEvidence& evidence) {
  if (readerIsAlwaysBehind(evidence)) return 1.0 - evidence.limits.ratio(Limit::idle);
  const double holdsUp = evidence.limits.ratio(Limit::application);
  if (!readerIsMostlyBehind(evidence)) return holdsUp;
  const double behind = static_cast<double>(*evidence.unreadSamples) / evidence.unreadBytes.count();
  return std::max(holdsUp, behind - evidence.limits.ratio(Limit::idle));
}

bool windowStandsAtCeiling(const ConnectionEvidence& evidence) {
  constexpr double kAtCeiling = 0.95;
  // It may have grown to it.
  constexpr double kInTheMean = 0.5;
  const auto largest = evidence.receiveWindowBytes.largest();
  const auto mean = evidence.receiveWindowBytes.mean();
  if (!evidence.windowScale || !largest || !mean) return false;
  const double ceiling = windowCeilingBytes(*evidence.windowScale);
  return *largest >= kAtCeiling * ceiling && *mean >= kInTheMean * ceiling;
}

bool segmentsAreFarBelowPathMtu(const ConnectionEvidence& evidence) {
  constexpr double kFarBelow = 0.7;
  const auto& mss = evidence.mss;
  const auto& mtu = evidence.pathMtu;
  if (!mss || !mtu || mss->value() == 0 || *mtu <= kIpv6Headers) return false;
  return static_cast<double>(mss->value()) < kFarBelow * static_cast<double>(segmentOf(*mtu, kIpv6Headers).value());
}

}  // namespace tcpscope
