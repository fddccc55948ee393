// Why a sender sent a segment again, judged from what it could know at that moment.
//
// Evidence first: SACK above the segment or duplicate acknowledgments (RFC 6675, RFC 8985) make it fast retransmission
// or recovery. Without evidence only timers are left: the probe of the tail after two RTTs of silence, the
// timeout for the head. A head that is retransmitted in spite of evidence, after a whole timeout and a long silence,
// was the timeout's, too. What fits nothing is unknown: acknowledgments may be missing from the capture.
#pragma once

#include <optional>

#include "core/base/units.h"
#include "core/wire/flow/retransmission.h"

namespace tcpscope {

/// Does this sender probe the tail? Linux, Windows and FreeBSD have learned it, older systems do not.
enum class ProbeHabit : std::uint8_t { unknown, probes, doesNotProbe };

/// The sender's state at a retransmission, as the capture shows it.
struct RetransmissionScene {
  bool isSyn = false;
  /// A timeout happened, and what was in flight then is not acknowledged yet.
  bool inTimeoutRecovery = false;
  /// The same for a loss that acknowledgments have shown.
  bool inRecovery = false;
  /// The first segment that is neither acknowledged nor SACKed.
  bool isHead = false;
  /// Ends where the highest sent ends.
  bool isTail = false;
  bool hasSackAbove = false;
  /// The tail was probed and nothing has been acknowledged since.
  bool isProbeOut = false;
  ProbeHabit probeHabit = ProbeHabit::unknown;
  /// Since the last acknowledgment that advanced.
  std::uint64_t duplicateAcks = 0;
  /// Since this segment was last sent.
  Nanoseconds sinceSent{0};
  /// Since its timer was last set: the segment was sent, or an acknowledgment of something before it came.
  Nanoseconds sinceTimerWasSet{0};
  /// Since the sender last got an acknowledgment; nothing where there was none.
  std::optional<Nanoseconds> silence;
  /// It echoes the timestamp of an acknowledgment that had only just come: that is what made the sender send it.
  bool answersAcknowledgment = false;
  /// Of the whole path.
  std::optional<Nanoseconds> rtt;
  /// How long the sender waits, by estimate.
  Nanoseconds timeout{0};
};

RetransmissionCause causeOf(const RetransmissionScene& scene);

/// Has this timeout come in a way that a sender which probes does not know? Either it waited for its only segment much
/// longer than for a probe, or twice as long as for what looked like the probe before it: `waitForProbe`, 0 where there
/// was none.
bool showsNoProbing(const RetransmissionScene& scene, Nanoseconds waitForProbe);

}  // namespace tcpscope
