#include "core/flow/capture_connection.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// What Ethernet carries; for connections whose SYNs were not seen.
constexpr std::uint32_t kUsualSegmentBytes = 1460;
constexpr std::uint32_t kTimestampOptionBytes = 12;

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

PacketRole CaptureConnection::take(const PacketSample& packet, Side side) {
  End& own = m_sides[side];
  End& other = m_sides[1 - side];
  if (packet.time < m_lastTime) ++m_timeSteps;
  m_lastTime = std::max(m_lastTime, packet.time);
  ReadOptions options;
  readOptions(packet, options);
  if (packet.flags.syn()) [[unlikely]] {
    takeSyn(packet, options.list.value_or(TcpOptionList()), side);
  }
  count(packet, own);

  const bool isReset = packet.flags.rst();
  const SentSegment segment{packet.time,        packet.sequence,    packet.payloadBytes,
                            packet.flags.syn(), packet.flags.fin(), options.timestamps ? options.timestamps->value : 0};
  const PathView path{other.window.isClosed(), m_mayUseSack, own.answerDelay};
  PacketRole role{isReset ? SegmentRole() : own.transmission.takeSegment(segment, path), {}, false};
  if (isReset) own.transmission.counts.stray += Bytes(packet.payloadBytes);
  if (isProbe(role.segment.kind)) own.awaitsProbeAnswer = true;
  if (packet.flags.ack() && !isReset) takeAcknowledgment(packet, options, side, role);
  if (options.timestamps && !isReset) takeTimestamps(*options.timestamps, packet, side);
  if (packet.flags.fin() || isReset) [[unlikely]] {
    noteEnd(packet, side);
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

void CaptureConnection::count(const PacketSample& packet, End& own) {
  TransmissionCounts& counts = own.transmission.counts;
  counts.packets += Count(1);
  if (packet.payloadBytes > 0) {
    counts.dataPackets += Count(1);
    counts.payload += Bytes(packet.payloadBytes);
    const bool isGiant = packet.payloadBytes > own.segmentBytes;
    if (isGiant) counts.giants += Count(1);
    counts.segments += Segments(isGiant ? (packet.payloadBytes + own.segmentBytes - 1) / own.segmentBytes : 1);
  }
  if ((packet.flags.bits & 0x07) == 0) return;
  if (packet.flags.syn()) counts.syns += Count(1);
  if (packet.flags.fin()) counts.fins += Count(1);
  if (packet.flags.rst()) counts.resets += Count(1);
}

void CaptureConnection::takeAcknowledgment(const PacketSample& packet, const ReadOptions& options, Side side,
                                           PacketRole& role) {
  End& own = m_sides[side];
  End& other = m_sides[1 - side];
  const std::span<const SackBlock> sack = options.list ? options.list->sackBlocks() : std::span<const SackBlock>();
  const bool answersProbe = other.awaitsProbeAnswer;
  other.awaitsProbeAnswer = false;
  if (!packet.flags.syn()) [[likely]] {
    const bool isPure = packet.payloadBytes == 0 && !packet.flags.fin() && !isProbe(role.segment.kind);
    const bool isAwaited = other.transmission.hasOutstanding();
    role.isDuplicateAck =
        own.window.take({packet.acknowledgment, packet.window, isPure, !sack.empty(), isAwaited, answersProbe});
    if (m_synSide == side && m_handshakeEnd == WallTime()) m_handshakeEnd = packet.time;
  }
  const std::optional<std::uint32_t> echo = options.timestamps ? std::optional(options.timestamps->echo) : std::nullopt;
  other.transmission.takeAcknowledgment(
      {packet.time, packet.acknowledgment, sack, echo, role.isDuplicateAck, answersProbe}, role.acknowledgment);
  if (role.acknowledgment.reportsDuplicate) own.window.counts.duplicateReports += Count(1);
  if (role.acknowledgment.roundTrip) own.noteAnswer(*role.acknowledgment.roundTrip);
}

void CaptureConnection::takeTimestamps(const TcpTimestamps& timestamps, const PacketSample& packet, Side side) {
  End& own = m_sides[side];
  std::optional<Nanoseconds> half;
  if (packet.flags.ack() && timestamps.echo != 0) {
    if (const auto echo = m_sides[1 - side].echoes.echoed(timestamps.echo, packet.time)) {
      half = echo->half;
      own.noteAnswer(echo->half);
      if (echo->whole) own.timestampRoundTrips.add(*echo->whole);
    }
  }
  own.echoes.sent(timestamps.value, packet.time, half);
}

std::size_t CaptureConnection::residentBytes() const {
  std::size_t bytes = 0;
  for (const End& end : m_sides) bytes += end.transmission.residentBytes() + end.timestampRoundTrips.residentBytes();
  return bytes;
}

void CaptureConnection::takeSyn(const PacketSample& packet, const TcpOptionList& options, Side side) {
  End& own = m_sides[side];
  const auto initial = own.transmission.initialSequence();
  // A server without memory of its first answer may answer again with another number.
  if (initial && *initial != packet.sequence) own.transmission.restart();
  if (!own.offered) {
    own.offered = offeredBy(options, packet.flags);
    if (!own.offered->sack && !own.offered->mayBeIncomplete) m_mayUseSack = false;
    noteSegmentBytes();
  }
  if (packet.flags.ack()) {
    if (!m_synSide) m_synSide = static_cast<Side>(1 - side);
    return;
  }
  if (!m_synSide) m_synSide = side;
  if (m_synSide == side) m_synTime = packet.time;
}

void CaptureConnection::noteSegmentBytes() {
  const bool withTimestamps =
      m_sides[0].offered && m_sides[0].offered->timestamps && m_sides[1].offered && m_sides[1].offered->timestamps;
  for (const Side side : {Side{0}, Side{1}}) {
    const auto& limit = m_sides[1 - side].offered;
    std::uint64_t bytes = limit && limit->mss ? limit->mss->value() : kUsualSegmentBytes;
    if (withTimestamps && bytes > kTimestampOptionBytes) bytes -= kTimestampOptionBytes;
    m_sides[side].segmentBytes = static_cast<std::uint32_t>(std::max<std::uint64_t>(bytes, 1));
  }
}

void CaptureConnection::noteEnd(const PacketSample& packet, Side side) {
  m_sides[side].hasFinished = true;
  const bool isOver =
      packet.flags.rst() || (m_sides[1 - side].hasFinished && !m_sides[side].transmission.hasOutstanding());
  if (!isOver) return;
  for (End& end : m_sides) end.transmission.release();
}

}  // namespace tcpscope
