// One TCP connection of a capture: both directions, the handshake, where the capture was taken.
//
// Feed it every packet of the connection in the order of the capture. What take() returns says what the packet was, so
// that a plot can be drawn along the way; nothing of that is kept here.
#pragma once

#include <algorithm>
#include <array>

#include "core/model/packet_sample.h"
#include "core/wire/flow/direction_summary.h"
#include "core/wire/flow/recent_packets.h"
#include "core/wire/flow/timestamp_echoes.h"
#include "core/wire/flow/transmission_tracker.h"
#include "core/wire/flow/window_tracker.h"

namespace tcpscope {

/// The end of a connection that a packet came from: 0 is the one whose packet was seen first.
using FlowSide = std::uint8_t;

struct PacketRole {
  SegmentRole segment;
  AcknowledgmentRole acknowledgment;
  bool isDuplicateAck = false;
};

class CaptureConnection {
public:
  /// `source` and `destination` of the first packet.
  CaptureConnection(const Endpoint& source, const Endpoint& destination, WallTime time);

  /// `side`: 0 where the packet goes from `source` to `destination`, 1 the other way.
  PacketRole take(const PacketSample& packet, FlowSide side);

  /// May it be one that was seen before? False for what carries on, which is nearly all.
  [[nodiscard]] bool mayRepeat(const PacketSample& packet, FlowSide side) const {
    const End& own = m_sides[side];
    if (packet.flags.rst()) [[unlikely]]
      return true;
    const bool hasNumbers = packet.payloadBytes > 0 || (packet.flags.bits & 0x03) != 0;
    return hasNumbers ? own.transmission.isBehind(packet.sequence) : own.window.isRepeated(packet.acknowledgment);
  }
  /// Does it acknowledge data that the capture has not shown yet? False once waiting for such data has been in vain too
  /// often: the capture does not hold it.
  [[nodiscard]] bool isEarly(const PacketSample& packet, FlowSide side) const {
    const bool isPlain = (packet.flags.bits & 0x16) == 0x10;
    return isPlain && m_vainWaits < kMostVainWaits &&
           m_sides[1 - side].transmission.acknowledgesUnseen(packet.acknowledgment);
  }
  /// Is the newest data that it acknowledges beyond all that the capture has shown?
  [[nodiscard]] bool acknowledgesBeyond(const PacketSample& packet, FlowSide side) const {
    return m_sides[1 - side].transmission.isBeyond(packet.acknowledgment);
  }
  /// A packet of this side has waited for the data that it acknowledges, and the data came.
  void noteEarly(FlowSide side) {
    ++m_earlyAcknowledgments[side];
    m_vainWaits = 0;
  }
  /// The data did not come. The packet is taken next, after others with a later time.
  void noteVainWait() {
    ++m_vainWaits;
    m_isLate = true;
  }
  /// By what is in flight: the same numbers with the same timestamp, too soon for a retransmission.
  [[nodiscard]] PacketLikeness likenessToSent(const PacketSample& packet, FlowSide side,
                                              const CopyEvidence& evidence) const;
  [[nodiscard]] CopyEvidence copyEvidence(const PacketSample& packet, FlowSide side) const;
  /// A packet that may repeat another turned out to be a copy of it, or may be one.
  void noteCopy(FlowSide side, PacketLikeness likeness) {
    ++(likeness == PacketLikeness::copy ? m_copies : m_undecidedCopies)[side];
  }
  /// Does this SYN belong to another connection that uses the same ports again?
  [[nodiscard]] bool isForSuccessor(const PacketSample& syn, FlowSide side) const;
  /// From another source (the kernel, for a connection of this host); the options of the SYNs take precedence.
  void supplyWindowScale(FlowSide side, std::uint8_t scale) { m_sides[side].suppliedScale = scale; }

  [[nodiscard]] const Endpoint& endpoint(FlowSide side) const { return m_endpoints[side]; }
  /// Who opened it: who sent the SYN; without one, the end with the port that looks less like a service's (a port
  /// below 1024, then below 32768), and at last the one that was seen first.
  [[nodiscard]] FlowSide initiator() const;
  [[nodiscard]] Vantage vantage() const;
  [[nodiscard]] std::optional<std::uint8_t> windowScale(FlowSide side) const;
  /// That this end advertised last, its SYN included; nothing where none was seen, or its scale is unknown.
  [[nodiscard]] std::optional<std::uint64_t> advertisedWindow(FlowSide side) const;
  [[nodiscard]] const TransmissionTracker& transmission(FlowSide side) const { return m_sides[side].transmission; }
  /// From the capture point to this end and back, at its quickest; nothing where it answered nothing.
  [[nodiscard]] std::optional<Nanoseconds> answerDelay(FlowSide side) const { return m_sides[side].answerDelay; }
  /// The same of its newest answer, with its own waiting and the queues of that moment.
  [[nodiscard]] std::optional<Nanoseconds> newestAnswer(FlowSide side) const { return m_sides[side].newestAnswer; }
  /// How long ago its oldest timestamp passed that the other end has not echoed.
  [[nodiscard]] std::optional<Nanoseconds> oldestUnechoed(FlowSide side, WallTime time) const {
    return m_sides[side].echoes.oldestAge(time);
  }
  /// Payload of its full segments, as far as the SYNs show.
  [[nodiscard]] std::uint32_t segmentBytes(FlowSide side) const { return m_sides[side].segmentBytes; }
  [[nodiscard]] ConnectionSummary summary() const;
  /// Memory outside of the object itself.
  [[nodiscard]] std::size_t residentBytes() const;

private:
  static constexpr std::uint8_t kMostVainWaits = 4;
  struct End {
    TransmissionTracker transmission;
    WindowTracker window;
    TimestampEchoes echoes;
    RttDistribution timestampRtts;
    std::optional<OfferedOptions> offered;
    std::optional<std::uint8_t> suppliedScale;
    /// Of its SYN, which is never scaled (RFC 7323 §2.2).
    std::optional<std::uint16_t> synWindow;
    /// From the capture point to this end and back: its quickest acknowledgment or echo.
    std::optional<Nanoseconds> answerDelay;
    std::optional<Nanoseconds> newestAnswer;
    /// Payload of its full segments.
    std::uint16_t segmentBytes;
    /// What the other end takes in one segment.
    std::uint16_t mostSegmentBytes;
    /// Of its last packet that was larger than a full segment, and no more than the other end takes.
    std::uint16_t longerBytes = 0;
    /// Its keep-alive or probe has not been answered yet.
    bool awaitsProbeAnswer = false;
    /// Since the last packet of the other end.
    std::uint16_t unansweredRetransmissions = 0;
    std::uint16_t unansweredKeepAlives = 0;
    std::uint16_t unansweredWindowProbes = 0;
    /// It waits for an answer of the other end, since `waitsSince`.
    bool isWaiting = false;
    bool hasFinished = false;
    WallTime lastTime;
    WallTime waitsSince;
    /// Of an earlier SYN with another number, which may be the one that counts.
    std::optional<std::uint32_t> replacedInitial;

    void noteAnswer(Nanoseconds delay) {
      answerDelay = answerDelay ? std::min(*answerDelay, delay) : delay;
      newestAnswer = delay;
    }
  };
  struct ReadOptions {
    /// Only where they are more than timestamps.
    std::optional<TcpOptionList> list;
    std::optional<TcpTimestamps> timestamps;
  };

  static void readOptions(const PacketSample& packet, ReadOptions& options);
  void takeSyn(const PacketSample& packet, const TcpOptionList& options, FlowSide side);
  PacketRole takeNext(const PacketSample& packet, FlowSide side);
  PacketRole takeLateSyn(const PacketSample& packet, FlowSide side);
  /// A SYN with another number than that of this end's stream, which has gone on since.
  [[nodiscard]] bool isLateSyn(const PacketSample& packet, FlowSide side) const;
  void placeInitialSequence(const PacketSample& packet, FlowSide side);
  void takeTimestamps(const TcpTimestamps& timestamps, const PacketSample& packet, FlowSide side);
  /// Gives the number of packets that an adapter joined to this one.
  static std::uint32_t count(const PacketSample& packet, End& own);
  static void noteLongerSegment(std::uint32_t payloadBytes, End& own);
  static void countUnanswered(const SegmentRole& role, End& own);
  void takeAcknowledgment(const PacketSample& packet, const ReadOptions& options, FlowSide side, PacketRole& role);
  /// Both ends have finished, or one has reset the connection.
  void releaseIfOver(bool isReset);
  void noteSegmentBytes();

  [[nodiscard]] DirectionSummary directionSummary(FlowSide side) const;
  /// A single flight shows how fast a link is or how long the way, and no rate of a transfer.
  void dropRateOfOneFlight(FlowSide side, DirectionSummary& direction) const;
  [[nodiscard]] std::optional<Nanoseconds> handshakeRtt() const;
  [[nodiscard]] std::optional<Nanoseconds> connectTime() const;
  [[nodiscard]] std::optional<Nanoseconds> firstByteTime(const DirectionSummary& responder) const;

  std::array<Endpoint, 2> m_endpoints;
  std::array<End, 2> m_sides;
  WallTime m_firstTime;
  WallTime m_lastTime;
  WallTime m_synTime;
  WallTime m_handshakeEnd;
  std::uint64_t m_timeSteps = 0;
  std::array<std::uint32_t, 2> m_copies{};
  std::array<std::uint32_t, 2> m_undecidedCopies{};
  std::array<std::uint32_t, 2> m_earlyAcknowledgments{};
  std::uint8_t m_vainWaits = 0;
  bool m_isLate = false;
  /// Its first packet is the SYN of the initiator.
  bool m_beginsWithSyn = false;
  std::optional<FlowSide> m_synSide;
  bool m_mayUseSack = true;
};

}  // namespace tcpscope
