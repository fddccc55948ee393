#include "core/flow/retransmission_cause.h"

namespace tcpscope {

namespace {

/// The estimate comes from samples at another place than the sender's own.
bool hasWaitedATimeout(const RetransmissionScene& scene) {
  return scene.sinceSent >= scene.timeout * 9 / 10;
}

bool hasWaited(const RetransmissionScene& scene, int roundTripTenths) {
  return scene.roundTrip && scene.sinceSent >= *scene.roundTrip * roundTripTenths / 10;
}

/// Acknowledgments drive recovery; a timer fires when they have stopped.
bool acknowledgmentsHaveStopped(const RetransmissionScene& scene) {
  const Nanoseconds slack = scene.timeout - scene.roundTrip.value_or(Nanoseconds::zero());
  return !scene.silence || *scene.silence >= slack / 2;
}

bool isTailProbe(const RetransmissionScene& scene) {
  if (!scene.isTail || scene.isProbeOut) return false;
  // Linux waits two round trips, at most for a timeout.
  constexpr int kAboutTwoRoundTrips = 15;
  if (!scene.isHead) return hasWaited(scene, kAboutTwoRoundTrips) || hasWaitedATimeout(scene);
  // A single segment: the probe waits for a delayed acknowledgment as well and falls on the timeout.
  if (scene.isKnownToProbe) return hasWaited(scene, kAboutTwoRoundTrips);
  return hasWaited(scene, kAboutTwoRoundTrips) && !hasWaitedATimeout(scene);
}

RetransmissionCause causeOfTimer(const RetransmissionScene& scene) {
  if (isTailProbe(scene)) return RetransmissionCause::tailLossProbe;
  if (!scene.isHead) return RetransmissionCause::unknown;
  // Some hosts are set to wait less than the estimate; that they wait at all shows in the silence.
  constexpr int kMoreThanARoundTrip = 15;
  const bool waited = hasWaitedATimeout(scene) || hasWaited(scene, kMoreThanARoundTrip);
  return waited ? RetransmissionCause::timeout : RetransmissionCause::unknown;
}

}  // namespace

RetransmissionCause causeOf(const RetransmissionScene& scene) {
  if (scene.isSyn) return RetransmissionCause::syn;
  if (scene.inTimeoutRecovery) return RetransmissionCause::timeout;
  constexpr std::uint64_t kDuplicateThreshold = 3;
  const bool hasEvidence = scene.hasSackAbove || scene.inRecovery || scene.duplicateAcks >= kDuplicateThreshold;
  if (hasEvidence) {
    const bool byTimer = scene.isHead && hasWaitedATimeout(scene) && acknowledgmentsHaveStopped(scene);
    if (byTimer) return RetransmissionCause::timeout;
    return scene.inRecovery ? RetransmissionCause::recovery : RetransmissionCause::fast;
  }
  const RetransmissionCause byTimer = causeOfTimer(scene);
  // Early retransmission (RFC 5827) needs fewer duplicates when little is outstanding.
  if (byTimer == RetransmissionCause::unknown && scene.duplicateAcks > 0) return RetransmissionCause::fast;
  return byTimer;
}

}  // namespace tcpscope
