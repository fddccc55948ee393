#include "core/diagnosis/evidence/slow_start.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

/// More than the initial window alone carries.
constexpr double kFewestSegments = 1.5 * static_cast<double>(kInitialWindow.value());

/// The kernel's figures. In slow start the window is the initial one and what was delivered; where it stands, because
/// something else limits the sender, what is delivered soon exceeds it.
bool windowGrewWithAll(const ConnectionEvidence& evidence, double segments) {
  constexpr double kMost = 1.5;
  return evidence.isInSlowStart == true && evidence.totalRetransmissions == Segments(0) &&
         segments <= kMost * static_cast<double>(evidence.congestionWindow->value());
}

/// Of packets: each flight is twice the one before it, so that all together are twice the largest.
bool flightGrewWithAll(const ConnectionEvidence& evidence) {
  constexpr double kMost = 2.2;
  const auto largest = evidence.inFlightBytes.largest();
  return evidence.waits && evidence.retransmittedSegments == 0U && largest && evidence.totalBytes &&
         static_cast<double>(evidence.totalBytes->value()) <= kMost * *largest;
}

}  // namespace

std::optional<double> transferredSegments(const ConnectionEvidence& evidence) {
  if (evidence.totalDelivered) return static_cast<double>(evidence.totalDelivered->value());
  if (!evidence.totalBytes || !evidence.mss || evidence.mss->value() == 0) return std::nullopt;
  return static_cast<double>(evidence.totalBytes->value()) / static_cast<double>(evidence.mss->value());
}

bool isInOpeningSlowStart(const ConnectionEvidence& evidence) {
  const auto segments = transferredSegments(evidence);
  if (evidence.side != Side::sending || !segments || *segments < kFewestSegments) return false;
  return evidence.congestionWindow ? windowGrewWithAll(evidence, *segments) : flightGrewWithAll(evidence);
}

double slowStartRtts(double segments, Segments initialWindow) {
  return std::max(1.0, std::ceil(std::log2(segments / static_cast<double>(initialWindow.value()) + 1.0)));
}

std::optional<double> idleRestartRtts(const ConnectionEvidence& evidence) {
  constexpr std::uint32_t kRepeatedly = 2;
  constexpr double kFewestRtts = 1.0;
  const auto smallest = evidence.congestionWindowBytes.smallest();
  const auto largest = evidence.congestionWindowBytes.largest();
  if (!(evidence.idleRestarts >= kRepeatedly) || evidence.slowsDownForLoss != true) return std::nullopt;
  if (!smallest || !largest || *smallest <= 0.0 || neededRetransmissions(evidence) != 0U) return std::nullopt;
  const double trips = std::log2(*largest / *smallest);
  return trips >= kFewestRtts ? std::optional(trips) : std::nullopt;
}

}  // namespace tcpscope
