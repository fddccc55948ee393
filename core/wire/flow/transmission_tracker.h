// What one end of a connection sends, and how its peer acknowledges it: sequence accounting, what is in flight, RTT
// samples, and the causes of retransmissions.
//
// A retransmission is payload that this direction has shown before, nothing else. Assumes that packets come in the
// order in which they were captured; whatever order they come in, payload = unique + retransmitted + probe + stray.
// Memory is what is in flight, with limits that are counted when they are reached.
#pragma once

#include <memory>

#include "core/wire/flow/direction_summary.h"
#include "core/wire/flow/retransmission_cause.h"
#include "core/wire/flow/retransmission_log.h"
#include "core/wire/flow/rtt_distribution.h"
#include "core/wire/flow/rtt_estimator.h"
#include "core/wire/flow/segment_ring.h"
#include "core/wire/flow/sequence_holes.h"
#include "core/wire/flow/sequence_ranges.h"
#include "core/wire/flow/tcp_option_list.h"

namespace tcpscope {

/// What a packet was as a piece of its sender's stream.
enum class SegmentKind : std::uint8_t {
  /// No payload, SYN or FIN: an acknowledgment alone.
  none,
  newData,
  retransmission,
  outOfOrder,
  filledHole,
  keepAlive,
  zeroWindowProbe,
  stray,
};

struct SegmentRole {
  SegmentKind kind = SegmentKind::none;
  /// Valid for a retransmission.
  RetransmissionCause cause = RetransmissionCause::unknown;
  /// With SYN and FIN, which take a number each.
  SequenceRange range;
  /// Place among all that this direction transmitted, as in Retransmission::Before; meant where it is new data, out of
  /// order or retransmitted. It skips what is missing.
  std::uint32_t position = 0;
  /// More than one where an adapter joined them.
  std::uint32_t packets = 1;
  /// The first transmission of what was taken for lost before the capture point: it came behind its repair.
  bool isLateOriginal = false;
};

/// A packet as a piece of its sender's stream.
struct SentSegment {
  WallTime time;
  std::uint32_t sequence = 0;
  std::uint32_t payloadBytes = 0;
  bool syn = false;
  bool fin = false;
  SendingOrder order;
  /// More than one where an adapter joined them.
  std::uint32_t packets = 1;
};

/// What else is known at the moment at which a segment passes.
struct PathView {
  /// The receiver's last window was zero.
  bool windowIsClosed = false;
  /// Neither end is known to do without; a sender probes its tail only then (RFC 8985 §7.1).
  bool mayUseSack = true;
  /// From the capture point to the sender and back; nothing where it is not known.
  std::optional<Nanoseconds> halfToSender;
  /// Payload of a full segment of this direction.
  std::uint16_t segmentBytes = 1460;
  /// It echoes the timestamp of an acknowledgment that passed the capture point so long ago; nothing where it echoes
  /// none, or one that was echoed before.
  std::optional<Nanoseconds> sinceEchoed{};
};

/// A packet as an acknowledgment of the other end's stream.
struct SeenAcknowledgment {
  WallTime time;
  std::uint32_t number = 0;
  std::span<const SackBlock> sack;
  std::optional<std::uint32_t> echo;
  bool isDuplicate = false;
  /// Comes after a keep-alive or a probe, so that a duplicate it reports is that one.
  bool answersProbe = false;
};

/// What an acknowledgment has shown.
struct AcknowledgmentRole {
  /// From the data that it acknowledges to it, where that is not ambiguous.
  std::optional<Nanoseconds> rtt;
  /// It is that of a segment beyond what is missing.
  bool isBySack = false;
  /// The receiver got something twice (RFC 2883).
  bool reportsDuplicate = false;
  /// What turns out by it not to have been needed, null where nothing does; valid until the next packet of the
  /// connection.
  const std::vector<Retransmission>* spurious = nullptr;
};

class TransmissionTracker {
public:
  SegmentRole takeSegment(const SentSegment& segment, const PathView& path);
  /// `role`: as it is made.
  void takeAcknowledgment(const SeenAcknowledgment& acknowledgment, AcknowledgmentRole& role);
  /// What takeSegment has just called a retransmission or a gap filled late; null where it never did.
  [[nodiscard]] const Retransmission* newestRetransmission() const { return m_log ? m_log->newest() : nullptr; }
  /// What such a segment, or the last acknowledgment that reported any, has shown to be spurious.
  [[nodiscard]] const std::vector<Retransmission>& foundSpurious() const { return m_log->foundSpurious(); }
  /// The connection is over: gives back what only its going on needs.
  void release() { m_ring.release(); }
  /// The same end starts over with another initial sequence number, before any data passed.
  void restart();
  /// The same with a SYN of this number that was seen before.
  void restartAt(std::uint32_t initial, WallTime time);
  /// The SYN, and no more than that, is known to have arrived: `number` is what its acknowledgment says. Whatever
  /// other numbers acknowledgments carried before were of an older connection.
  void confirmSyn(std::uint32_t number, WallTime time);

  [[nodiscard]] bool isStarted() const { return m_isStarted; }
  /// Is this the first number that was seen, or that of the SYN?
  [[nodiscard]] bool beginsAt(std::uint32_t sequence) const { return m_isStarted && onTheWire(m_first) == sequence; }
  /// Does the number lie below the highest that was seen?
  [[nodiscard]] bool isBehind(std::uint32_t sequence) const {
    return m_isStarted && isBefore(sequence, onTheWire(m_highest));
  }
  /// Does the number lie above the next one?
  [[nodiscard]] bool isBeyond(std::uint32_t number) const {
    return m_isStarted && isBefore(onTheWire(m_highest), number);
  }
  /// Has the receiver, by this acknowledgment, data that the capture has not shown?
  [[nodiscard]] bool acknowledgesUnseen(std::uint32_t number) const;
  /// When just these numbers were last sent with this timestamp, 0 where they carried none; nothing where they were
  /// not, or are acknowledged.
  [[nodiscard]] std::optional<WallTime> sentAt(std::uint32_t sequence, std::uint32_t numbers,
                                               std::uint32_t timestamp) const;
  /// Something is sent and not acknowledged.
  [[nodiscard]] bool hasUnacked() const { return m_isStarted && m_knowsAcknowledged && m_acknowledged < m_highest; }
  [[nodiscard]] std::optional<std::uint32_t> initialSequence() const;
  /// Has more than a SYN been sent, or its SYN been acknowledged?
  [[nodiscard]] bool isPastSyn() const {
    return m_isStarted && (m_acknowledged > m_first || m_highest > m_first + (m_hasSyn ? 1U : 0U));
  }
  /// Sent and neither acknowledged nor SACKed; nothing while no acknowledgment was seen.
  [[nodiscard]] std::optional<std::uint64_t> inFlight() const {
    return m_hasAcknowledgment ? std::optional(flight()) : std::nullopt;
  }
  /// The next number that the receiver expects; nothing where no acknowledgment was seen.
  [[nodiscard]] std::optional<std::uint32_t> acknowledged() const;
  /// First number that is not acknowledged; 0 where no acknowledgment was seen.
  [[nodiscard]] StreamOffset acknowledgedOffset() const { return m_knowsAcknowledged ? m_acknowledged : 0; }
  [[nodiscard]] std::uint64_t sackedBytes() const { return m_sacked.bytes(); }
  [[nodiscard]] const RttDistribution& rtts() const { return m_rtts; }
  /// From the first packet with payload to the last.
  [[nodiscard]] Nanoseconds sendingSpan() const { return m_lastData - m_firstData; }
  /// Of retransmissions that fast retransmission or recovery sent and that were not spurious: lost behind the capture
  /// point.
  [[nodiscard]] std::uint64_t lossesBehind() const;

  TransmissionCounts counts;
  /// Fills in what this direction's stream shows.
  void summarize(DirectionSummary& summary) const;
  [[nodiscard]] std::size_t residentBytes() const;

private:
  void start(const SentSegment& segment);
  SegmentRole takeBare(StreamOffset begin, const PathView& path);
  SegmentRole takeProbe(SequenceRange range, const PathView& path);
  SegmentRole takeStray(SequenceRange range, std::uint32_t payloadBytes);
  SegmentRole takeNew(const SentSegment& segment, SequenceRange range, const PathView& path);
  SegmentRole takeOld(const SentSegment& segment, SequenceRange range, const PathView& path);
  std::optional<SegmentRole> takeLateOriginal(const SentSegment& segment, SequenceRange range);
  SegmentRole takeAgain(const SentSegment& segment, SequenceRange range, const PathView& path,
                        const SequenceHole* hole);
  [[nodiscard]] bool isProbe(const SentSegment& segment, StreamOffset begin) const;
  [[nodiscard]] bool isLate(const SentSegment& segment, const SequenceHole& hole, const PathView& path) const;
  [[nodiscard]] std::optional<Nanoseconds> clockTick(const SequenceHole& hole) const;
  [[nodiscard]] bool wasMissing(const SentSegment& segment, SequenceRange range, const PathView& path) const;
  [[nodiscard]] bool isInRecoveryOf(const SequenceHole* hole) const;
  [[nodiscard]] RetransmissionScene sceneOf(const SentSegment& segment, SequenceRange range, const PathView& path,
                                            const SequenceHole* hole) const;
  [[nodiscard]] Nanoseconds sinceSent(const SentSegment& segment, SequenceRange range, const SequenceHole* hole) const;
  /// Has the receiver said that it has all of this?
  [[nodiscard]] bool isHeld(SequenceRange range) const {
    return range.end <= m_acknowledged || m_sacked.contains(range);
  }
  [[nodiscard]] const UnackedSegment* unackedAt(StreamOffset offset) const;
  void noteCause(RetransmissionCause cause, const RetransmissionScene& scene);
  void reviseEarlier(RetransmissionCause cause, const RetransmissionScene& scene);
  [[nodiscard]] bool followsTimeout(const SentSegment& segment, const PathView& path) const;
  void openHole(StreamOffset end, const SentSegment& after);
  [[nodiscard]] std::optional<Retransmission::Before> missingAt(const SequenceHole& hole, StreamOffset begin,
                                                                std::uint32_t packets) const;
  void markRetransmitted(const SentSegment& segment, SequenceRange range, std::uint32_t position, bool isRetransmitted);
  void extend(SequenceRange range, bool hasFin);
  /// Since the SYN, if it was seen, or the first acknowledgment.
  [[nodiscard]] std::uint64_t flight() const {
    const StreamOffset from = std::max(m_acknowledged, m_hasSyn ? m_first + 1 : m_first);
    const std::uint64_t sent = m_dataEnd > from ? m_dataEnd - from : 0;
    return sent - std::min(sent, m_sacked.bytes());
  }
  void noteFlight();

  [[nodiscard]] StreamOffset offsetOf(std::uint32_t acknowledgment) const;
  void noteUnseen(StreamOffset acknowledged, WallTime time);
  std::optional<Nanoseconds> advance(StreamOffset acknowledged, const SeenAcknowledgment& acknowledgment);
  void noteHeld(const SequenceRange& held, WallTime time);
  void noteMissing(WallTime until);
  [[nodiscard]] bool isMovedToFront(const SequenceRange& block, const SeenAcknowledgment& acknowledgment) const;
  void takeSack(const SeenAcknowledgment& acknowledgment, StreamOffset acknowledged, AcknowledgmentRole& role);
  [[nodiscard]] bool reportsDuplicate(const SequenceRange& block, const SeenAcknowledgment& acknowledgment,
                                      StreamOffset acknowledged) const;
  /// Is what came twice the byte of a keep-alive or of a probe into a closed window?
  [[nodiscard]] bool isOfProbe(const SequenceRange& block, const SeenAcknowledgment& acknowledgment,
                               StreamOffset acknowledged) const;
  /// Returns the sample if it counts as an RTT sample; the estimate takes others, too.
  std::optional<Nanoseconds> addRtt(Nanoseconds sample, bool isOfWholeSegment);

  /// Past the highest number seen, SYN and FIN included.
  StreamOffset m_highest = 0;
  /// Past the highest payload.
  StreamOffset m_dataEnd = 0;
  /// First number that is not acknowledged.
  StreamOffset m_acknowledged = 0;
  /// Number of the SYN, or the first that was seen.
  StreamOffset m_first = 0;
  /// While less is acknowledged, retransmissions belong to a timeout or to a recovery.
  StreamOffset m_timeoutUntil = 0;
  StreamOffset m_recoveryUntil = 0;
  /// From here on duplicate acknowledgments had shown data to be missing that came after all, until m_missingUntil.
  StreamOffset m_missingFrom = 0;
  /// Where the first block of the last SACK began.
  StreamOffset m_frontBlock = 0;

  SegmentRing m_ring;
  SequenceHoles m_holes;
  SequenceRanges m_sacked;
  RttDistribution m_rtts;
  RttEstimator m_estimator;
  std::unique_ptr<RetransmissionLog> m_log;

  /// Of data; the first of all where no packet of the direction was seen before.
  WallTime m_firstAcknowledgment;
  WallTime m_lastAcknowledgment;
  /// Of data, or of a SYN.
  WallTime m_lastAdvance;
  WallTime m_missingUntil;
  /// How long the sender had waited before the probe that is out.
  Nanoseconds m_waitForProbe{0};
  WallTime m_firstData;
  WallTime m_lastData;
  /// Between the last packet with payload and the one before it.
  Nanoseconds m_silenceBeforeLast{0};
  std::uint64_t m_maxInFlight = 0;
  std::uint64_t m_deliveredSegments = 0;
  /// Packets with payload, SYN or FIN so far, GRO aggregates counted as packets, and those missing in gaps.
  std::uint32_t m_transmissions = 0;
  std::uint16_t m_segmentBytes = 1460;
  std::uint32_t m_duplicateAcks = 0;
  /// Of the packet at m_firstData; 0 where it carried none.
  std::uint32_t m_firstTimestamp = 0;
  std::uint8_t m_straysInARow = 0;
  bool m_isStarted = false;
  bool m_hasSyn = false;
  bool m_knowsAcknowledged = false;
  bool m_hasAcknowledgment = false;
  bool m_isProbeOut = false;
  ProbeHabit m_probeHabit = ProbeHabit::unknown;
  /// The newest of the log opened a recovery and is alone in it so far.
  bool m_isLoneRepair = false;
  /// A probe into a closed window carried the byte at m_highest.
  bool m_probedWithByte = false;
};

}  // namespace tcpscope
