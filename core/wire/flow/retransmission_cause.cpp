#include "core/wire/flow/retransmission_cause.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// The estimate comes from samples at another place than the sender's own.
bool hasWaitedATimeout(const RetransmissionScene& scene) {
  return scene.sinceSent >= scene.timeout * 9 / 10;
}

bool hasWaited(const RetransmissionScene& scene, int rttTenths) {
  return scene.rtt && scene.sinceSent >= *scene.rtt * rttTenths / 10;
}

/// Acknowledgments drive recovery; a timer fires when they have stopped.
bool acknowledgmentsHaveStopped(const RetransmissionScene& scene) {
  const Nanoseconds slack = scene.timeout - scene.rtt.value_or(Nanoseconds::zero());
  return !scene.silence || *scene.silence >= slack / 2;
}

/// So long without any acknowledgment nothing but a timer sends, whatever the estimate of its length.
bool hasBeenSilentForLong(const RetransmissionScene& scene) {
  constexpr Nanoseconds kShortestRto = std::chrono::milliseconds(200);
  if (!scene.rtt || !scene.silence) return false;
  const Nanoseconds isLong = std::max(kShortestRto, *scene.rtt * 3 / 2);
  return *scene.silence >= isLong && scene.sinceSent >= isLong;
}

/// How long Linux waits before it probes a single segment: for a delayed acknowledgment, too, at most for a timeout
/// (tcp_schedule_loss_probe in net/ipv4/tcp_output.c).
Nanoseconds probeWaitForOne(const RetransmissionScene& scene) {
  constexpr Nanoseconds kForDelayedAcknowledgment = std::chrono::milliseconds(200);
  return std::min(scene.timeout, scene.rtt.value_or(Nanoseconds::zero()) * 2 + kForDelayedAcknowledgment);
}

bool isTailProbe(const RetransmissionScene& scene) {
  if (!scene.isTail || scene.isProbeOut || scene.probeHabit == ProbeHabit::doesNotProbe) return false;
  constexpr int kAboutTwoRtts = 15;
  if (!scene.isHead) return hasWaited(scene, kAboutTwoRtts) || hasWaitedATimeout(scene);
  // A single segment: probe and timeout may coincide, and a sender that probes does so before its timeout.
  const bool isInTime = scene.sinceTimerWasSet < probeWaitForOne(scene) * 14 / 10;
  return hasWaited(scene, kAboutTwoRtts) && (isInTime || scene.probeHabit == ProbeHabit::probes);
}

RetransmissionCause causeOfTimer(const RetransmissionScene& scene) {
  if (isTailProbe(scene)) return RetransmissionCause::tailLossProbe;
  if (!scene.isHead) return RetransmissionCause::unknown;
  // Some hosts are set to wait less than the estimate; that they wait at all shows in the silence.
  constexpr int kMoreThanAnRtt = 15;
  const bool waited = hasWaitedATimeout(scene) || hasWaited(scene, kMoreThanAnRtt);
  return waited ? RetransmissionCause::timeout : RetransmissionCause::unknown;
}

}  // namespace

bool showsNoProbing(const RetransmissionScene& scene, Nanoseconds waitForProbe) {
  if (scene.inTimeoutRecovery || !scene.isHead || !scene.isTail) return false;
  // A sender that probed starts to count again; one that timed out waits twice as long (RFC 6298 §5.5).
  if (scene.isProbeOut) return scene.sinceTimerWasSet >= waitForProbe * 18 / 10;
  const bool isQuiet = !scene.inRecovery && !scene.hasSackAbove && scene.duplicateAcks == 0;
  return isQuiet && scene.rtt && scene.sinceTimerWasSet >= probeWaitForOne(scene) * 14 / 10;
}

RetransmissionCause causeOf(const RetransmissionScene& scene) {
  if (scene.isSyn) return RetransmissionCause::syn;
  if (scene.inTimeoutRecovery) return RetransmissionCause::timeout;
  constexpr std::uint64_t kDuplicateThreshold = 3;
  const bool hasEvidence = scene.hasSackAbove || scene.inRecovery || scene.duplicateAcks >= kDuplicateThreshold;
  if (hasEvidence) {
    const bool byTimer = hasBeenSilentForLong(scene) || (hasWaitedATimeout(scene) && acknowledgmentsHaveStopped(scene));
    if (scene.isHead && byTimer && !scene.answersAcknowledgment) return RetransmissionCause::timeout;
    return scene.inRecovery ? RetransmissionCause::recovery : RetransmissionCause::fast;
  }
  if (scene.answersAcknowledgment) return RetransmissionCause::fast;
  const RetransmissionCause byTimer = causeOfTimer(scene);
  // Early retransmission (RFC 5827) needs fewer duplicates when little is in flight.
  if (byTimer == RetransmissionCause::unknown && scene.duplicateAcks > 0) return RetransmissionCause::fast;
  return byTimer;
}

}  // namespace tcpscope
