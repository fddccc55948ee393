#include "core/wire/flow/capture_connection.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

namespace {

/// What Ethernet carries; for connections whose SYNs were not seen.
constexpr std::uint32_t kUsualSegmentBytes = 1460;
constexpr std::uint32_t kTimestampOptionBytes = 12;
/// More segments than a GSO/GRO aggregate of 64 KiB holds unless they are made small on purpose: else one packet could
/// cost as much as a thousand.
constexpr std::uint32_t kMaxJoinedPackets = 128;

bool isProbe(SegmentKind kind) {
  return kind == SegmentKind::keepAlive || kind == SegmentKind::zeroWindowProbe;
}

OfferedOptions offeredBy(const TcpOptionList& options, TcpFlags flags) {
  OfferedOptions offered;
  if (options.mssBytes) offered.mss = Bytes(*options.mssBytes);
  offered.windowScale = options.windowScale;
  offered.sack = options.sackPermitted;
  offered.timestamps = options.timestamps.has_value();
  // RFC 3168 §6.1.1: the SYN carries both bits, its answer ECE alone.
  offered.ecn = flags.ece() && flags.cwr() != flags.ack();
  offered.accurateEcn = options.accurateEcn;
  offered.fastOpen = options.fastOpenCookieBytes.has_value();
  offered.multipath = options.multipath;
  offered.mayBeIncomplete = options.isCut || options.isDamaged;
  return offered;
}

}  // namespace

CaptureConnection::CaptureConnection(const Endpoint& source, const Endpoint& destination, WallTime time)
    : m_endpoints{source, destination}, m_firstTime(time), m_lastTime(time) {
  noteSegmentBytes();
}

PacketRole CaptureConnection::take(const PacketSample& packet, FlowSide side) {
  if (packet.time < m_lastTime && !std::exchange(m_isLate, false)) ++m_timeSteps;
  m_lastTime = std::max(m_lastTime, packet.time);
  return packet.flags.syn() && isLateSyn(packet, side) ? takeLateSyn(packet, side) : takeNext(packet, side);
}

PacketRole CaptureConnection::takeLateSyn(const PacketSample& packet, FlowSide side) {
  End& own = m_sides[side];
  count(packet, own);
  own.transmission.counts.strayPackets += Count(1);
  own.transmission.counts.stray += Bytes(packet.payloadBytes);
  PacketRole late;
  late.segment.kind = SegmentKind::stray;
  return late;
}

// One return, of one variable: the compiler makes that in the place of the result. A copy of it right after its parts
// were written would wait for them, 20 ns a packet.
PacketRole CaptureConnection::takeNext(const PacketSample& packet, FlowSide side) {
  End& own = m_sides[side];
  End& other = m_sides[1 - side];
  ReadOptions options;
  readOptions(packet, options);
  if (packet.flags.syn()) [[unlikely]] {
    takeSyn(packet, options.list.value_or(TcpOptionList()), side);
  }
  const std::uint32_t joined = count(packet, own);

  const bool isReset = packet.flags.rst();
  const SentSegment segment{packet.time,
                            packet.sequence,
                            packet.payloadBytes,
                            packet.flags.syn(),
                            packet.flags.fin(),
                            {options.timestamps ? options.timestamps->value : 0, packet.identification},
                            joined};
  PathView path{other.window.isClosed(), m_mayUseSack, own.answerDelay, own.segmentBytes, {}};
  if (options.timestamps && packet.payloadBytes > 0 && own.transmission.isBehind(packet.sequence)) [[unlikely]] {
    path.sinceEchoed = other.echoes.age(options.timestamps->echo, packet.time);
  }
  PacketRole role{isReset ? SegmentRole() : own.transmission.takeSegment(segment, path), {}};
  own.lastTime = std::max(own.lastTime, packet.time);
  other.unansweredRetransmissions = other.unansweredKeepAlives = other.unansweredWindowProbes = 0;
  countUnanswered(role.segment, own);
  if (isReset) own.transmission.counts.stray += Bytes(packet.payloadBytes);
  if (isProbe(role.segment.kind)) own.awaitsProbeAnswer = true;
  if (packet.flags.ack() && !isReset) takeAcknowledgment(packet, options, side, role);
  other.isWaiting = other.isWaiting && other.transmission.hasUnacked();
  if (other.isWaiting) other.waitsSince = packet.time;
  if (!own.isWaiting && role.segment.kind != SegmentKind::none) {
    own.isWaiting = true;
    own.waitsSince = packet.time;
  }
  if (options.timestamps && !isReset) takeTimestamps(*options.timestamps, packet, side);
  if (packet.flags.fin() || isReset) own.hasFinished = true;
  if ((own.hasFinished && other.hasFinished) || isReset) [[unlikely]] {
    releaseIfOver(isReset);
  }
  return role;
}

void CaptureConnection::readOptions(const PacketSample& packet, ReadOptions& options) {
  if (packet.options.empty()) return;
  options.timestamps = loneTimestamps(packet.options);
  if (options.timestamps && !packet.flags.syn()) [[likely]] {
    return;
  }
  options.list = TcpOptionList::parse(packet.options, packet.optionsAreCut);
  options.timestamps = options.list->timestamps;
}

std::uint32_t CaptureConnection::count(const PacketSample& packet, End& own) {
  TransmissionCounts& counts = own.transmission.counts;
  counts.packets += Count(1);
  std::uint32_t joined = 1;
  if (packet.payloadBytes > 0) {
    counts.dataPackets += Count(1);
    counts.payload += Bytes(packet.payloadBytes);
    if (packet.payloadBytes > own.segmentBytes) noteLongerSegment(packet.payloadBytes, own);
    // Some stacks offer an MSS that leaves room for options, and send more than they offered.
    const std::uint32_t longest = std::min<std::uint32_t>(own.mostSegmentBytes, own.segmentBytes + kMostOptionBytes);
    const bool isAggregate = packet.payloadBytes > longest;
    if (isAggregate) counts.aggregates += Count(1);
    if (isAggregate) joined = (packet.payloadBytes + own.segmentBytes - 1) / own.segmentBytes;
    counts.segments += Segments(joined);
  }
  joined = std::min(joined, kMaxJoinedPackets);
  if ((packet.flags.bits & 0x07) == 0) return joined;
  if (packet.flags.syn()) counts.syns += Count(1);
  if (packet.flags.fin()) counts.fins += Count(1);
  if (packet.flags.rst()) counts.resets += Count(1);
  return joined;
}

void CaptureConnection::countUnanswered(const SegmentRole& role, End& own) {
  if (role.kind == SegmentKind::newData || role.kind == SegmentKind::none) [[likely]] {
    return;
  }
  std::uint16_t* counter = nullptr;
  if (role.kind == SegmentKind::keepAlive) counter = &own.unansweredKeepAlives;
  if (role.kind == SegmentKind::retransmission) counter = &own.unansweredRetransmissions;
  if (role.kind == SegmentKind::zeroWindowProbe) counter = &own.unansweredWindowProbes;
  if (counter != nullptr && *counter < UINT16_MAX) ++*counter;
}

void CaptureConnection::takeAcknowledgment(const PacketSample& packet, const ReadOptions& options, FlowSide side,
                                           PacketRole& role) {
  End& own = m_sides[side];
  End& other = m_sides[1 - side];
  const std::span<const SackBlock> sack = options.list ? options.list->sackBlocks() : std::span<const SackBlock>();
  const bool answersProbe = other.awaitsProbeAnswer;
  other.awaitsProbeAnswer = false;
  if (!packet.flags.syn()) [[likely]] {
    const bool isPure = packet.payloadBytes == 0 && !packet.flags.fin() && !isProbe(role.segment.kind);
    const bool isAwaited = other.transmission.hasUnacked();
    role.isDuplicateAck =
        own.window.take({packet.acknowledgment, packet.window, isPure, !sack.empty(), isAwaited, answersProbe});
    if (m_synSide == side && m_handshakeEnd == WallTime()) m_handshakeEnd = packet.time;
  }
  const std::optional<std::uint32_t> echo = options.timestamps ? std::optional(options.timestamps->echo) : std::nullopt;
  if (other.replacedInitial) [[unlikely]] {
    const bool meansReplaced = *other.replacedInitial + 1 == packet.acknowledgment && !other.transmission.isPastSyn();
    if (meansReplaced) other.transmission.restartAt(*other.replacedInitial, packet.time);
    if (meansReplaced || other.transmission.isPastSyn()) other.replacedInitial.reset();
  }
  other.transmission.takeAcknowledgment(
      {packet.time, packet.acknowledgment, sack, echo, role.isDuplicateAck, answersProbe}, role.acknowledgment);
  if (role.acknowledgment.reportsDuplicate) own.window.counts.duplicateReports += Count(1);
  if (role.acknowledgment.rtt) own.noteAnswer(*role.acknowledgment.rtt);
}

void CaptureConnection::takeTimestamps(const TcpTimestamps& timestamps, const PacketSample& packet, FlowSide side) {
  End& own = m_sides[side];
  std::optional<Nanoseconds> half;
  if (packet.flags.ack() && timestamps.echo != 0) {
    if (const auto echo = m_sides[1 - side].echoes.echoed(timestamps.echo, packet.time)) {
      half = echo->half;
      own.noteAnswer(echo->half);
      if (echo->whole) own.timestampRtts.add(*echo->whole);
    }
  }
  own.echoes.sent(timestamps.value, packet.time, half);
}

std::size_t CaptureConnection::residentBytes() const {
  std::size_t bytes = 0;
  for (const End& end : m_sides) {
    bytes += end.transmission.residentBytes() + end.timestampRtts.residentBytes() + end.echoes.residentBytes();
  }
  return bytes;
}

void CaptureConnection::takeSyn(const PacketSample& packet, const TcpOptionList& options, FlowSide side) {
  End& own = m_sides[side];
  placeInitialSequence(packet, side);
  own.synWindow = packet.window;
  if (!own.offered) {
    own.offered = offeredBy(options, packet.flags);
    if (!own.offered->sack && !own.offered->mayBeIncomplete) m_mayUseSack = false;
    noteSegmentBytes();
  }
  if (packet.flags.ack()) {
    // Who answers with the option was asked for it by the flags of the SYN (RFC 9768 §3.1.1).
    std::optional<OfferedOptions>& asked = m_sides[1 - side].offered;
    if (own.offered->accurateEcn && asked && asked->ecn) asked->accurateEcn = true;
    if (!m_synSide) m_synSide = static_cast<FlowSide>(1 - side);
    return;
  }
  if (!m_synSide) {
    m_synSide = side;
    m_beginsWithSyn = packet.time == m_firstTime;
  }
  if (m_synSide == side) m_synTime = packet.time;
}

bool CaptureConnection::isLateSyn(const PacketSample& packet, FlowSide side) const {
  const TransmissionTracker& own = m_sides[side].transmission;
  const auto initial = own.initialSequence();
  return initial && *initial != packet.sequence && own.isPastSyn();
}

void CaptureConnection::placeInitialSequence(const PacketSample& packet, FlowSide side) {
  End& own = m_sides[side];
  const auto initial = own.transmission.initialSequence();
  if (initial && *initial != packet.sequence) {
    // A server without memory of its first answer may answer again with another number.
    own.replacedInitial = initial;
    own.transmission.restart();
  } else if (!initial && own.transmission.isStarted() && !own.transmission.beginsAt(packet.sequence + 1)) {
    // What came before was of an older connection between the same ports: a challenge acknowledgment (RFC 5961 §4).
    own.transmission.restart();
    own.window.restart();
  }
  // A reset of that time ended nothing.
  for (End& end : m_sides) end.hasFinished = false;
  if (packet.flags.ack()) m_sides[1 - side].transmission.confirmSyn(packet.acknowledgment, packet.time);
}

void CaptureConnection::noteSegmentBytes() {
  const bool withTimestamps =
      m_sides[0].offered && m_sides[0].offered->timestamps && m_sides[1].offered && m_sides[1].offered->timestamps;
  // Who offers less than the other end has the smaller packets on its own link, and sends no larger ones.
  std::optional<std::uint64_t> smallest;
  for (const End& end : m_sides) {
    if (!end.offered || !end.offered->mss) continue;
    smallest = std::min(smallest.value_or(UINT16_MAX), end.offered->mss->value());
  }
  const auto payload = [withTimestamps](std::uint64_t mss) {
    if (withTimestamps && mss > kTimestampOptionBytes) mss -= kTimestampOptionBytes;
    return static_cast<std::uint16_t>(std::clamp<std::uint64_t>(mss, 1, UINT16_MAX));
  };
  for (std::size_t side = 0; side < m_sides.size(); ++side) {
    const auto& taker = m_sides[1 - side].offered;
    m_sides[side].segmentBytes = payload(smallest.value_or(kUsualSegmentBytes));
    m_sides[side].mostSegmentBytes = taker && taker->mss ? payload(taker->mss->value()) : m_sides[side].segmentBytes;
  }
}

void CaptureConnection::noteLongerSegment(std::uint32_t payloadBytes, End& own) {
  if (payloadBytes > own.mostSegmentBytes || payloadBytes > own.segmentBytes + kMostOptionBytes) return;
  // A single one may be a full segment and a short one, handed over together.
  if (std::exchange(own.longerBytes, static_cast<std::uint16_t>(payloadBytes)) == payloadBytes) {
    own.segmentBytes = static_cast<std::uint16_t>(payloadBytes);
  }
}

void CaptureConnection::releaseIfOver(bool isReset) {
  const bool isOver = isReset || !(m_sides[0].transmission.hasUnacked() || m_sides[1].transmission.hasUnacked());
  if (!isOver) return;
  for (End& end : m_sides) {
    end.transmission.release();
    end.echoes.release();
  }
}

}  // namespace tcpscope
