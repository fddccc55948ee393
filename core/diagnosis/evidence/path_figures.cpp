#include "core/diagnosis/evidence/path_figures.h"

#include <algorithm>

namespace tcpscope {

std::optional<RoundTrip> roundTrip(const SocketObservation& socket, const WindowStatistics& window) {
  const auto mean = window.rttUs.mean();
  if (!mean) return std::nullopt;
  const double smallestSeen = *window.rttUs.smallest();
  const auto kernelMinimum = socket.info.minRtt();
  const bool minimumKnown = kernelMinimum && kernelMinimum->count() > 0;
  const double smallest =
      minimumKnown ? std::min(static_cast<double>(kernelMinimum->count()), smallestSeen) : smallestSeen;
  return RoundTrip{*mean, smallest};
}

std::uint64_t neededRetransmissions(const WindowStatistics& window) {
  return window.retransmittedSegments - std::min(window.retransmittedSegments, window.duplicatesReported);
}

std::optional<double> lossRatio(const WindowStatistics& window) {
  if (window.dataSegmentsOut == 0) return std::nullopt;
  return static_cast<double>(neededRetransmissions(window)) / static_cast<double>(window.dataSegmentsOut);
}

bool retransmissionsWereSpurious(const WindowStatistics& window) {
  // Single packets that arrive twice are the price of probing for a lost tail, and no sign of reordering.
  constexpr std::uint64_t kFewestDuplicates = 3;
  return window.duplicatesReported >= kFewestDuplicates && window.duplicatesReported * 2 > window.retransmittedSegments;
}

double repairRatio(const WindowStatistics& window) {
  const double repairing = window.samplesInRecovery + window.samplesInLoss;
  return window.samples == 0 ? 0.0 : repairing / window.samples;
}

bool pathHasQueue(const RoundTrip& roundTrip) {
  constexpr double kInflation = 1.25;
  // Scheduling and interrupt moderation delay packets within a host by some hundred microseconds.
  constexpr double kHostDelaysUs = 2000.0;
  return roundTrip.inflation() >= kInflation && roundTrip.queueUs() >= kHostDelaysUs;
}

double excessOfQueue(const RoundTrip& roundTrip) {
  // A queue of one round trip keeps a path full through a halved window, and is no fault; on average it holds up to one
  // and a quarter round trips' worth where it is a little longer than that.
  constexpr double kOrdinaryRoundTrips = 1.25;
  constexpr double kTooManyRoundTrips = 2.0;
  constexpr double kNoticeableUs = 20'000.0;
  if (roundTrip.queueUs() < kNoticeableUs) return 0.0;
  const double roundTrips = roundTrip.queueUs() / roundTrip.smallestUs;
  return std::clamp((roundTrips - kOrdinaryRoundTrips) / (kTooManyRoundTrips - kOrdinaryRoundTrips), 0.0, 1.0);
}

bool queueFillsBeforeLoss(const WindowStatistics& window) {
  // Seen: 1.00 to 1.02 before a policer, 1.02 to 1.06 before a queue of a tenth of the path, 1.13 before one of a
  // quarter.
  constexpr double kRise = 1.06;
  const auto atLoss = window.rttAtLossUs.mean();
  const auto mean = window.rttUs.mean();
  return atLoss && mean && *atLoss >= kRise * *mean;
}

std::optional<BitsPerSecond> spanRate(std::uint64_t bytes, const WindowStatistics& window) {
  if (window.span() <= Nanoseconds::zero()) return std::nullopt;
  return BitsPerSecond::from(Bytes(bytes), window.span());
}

}  // namespace tcpscope
