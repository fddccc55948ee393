#include "core/wire/series/packet_series.h"

namespace tcpscope {

namespace {

std::uint32_t inFlightOf(const TransmissionTracker& transmission) {
  const auto bytes = transmission.inFlight();
  if (!bytes) return kUnknownFlight;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*bytes, kUnknownFlight - 1));
}

/// Half of the packets of a transfer, those that carry its data, acknowledge nothing new.
bool repeatsNewest(const DirectionSeries& series, const PacketSample& packet, const PacketRole& role) {
  if (series.acknowledgments().empty() || role.isDuplicateAck || role.acknowledgment.rtt) return false;
  const AcknowledgmentPoint& newest = series.acknowledgments().back();
  return onTheWire(newest.number) == packet.acknowledgment && newest.window == packet.window && newest.hasWindow &&
         !packet.flags.syn();
}

std::uint32_t shortNumber(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

void PacketSeries::take(const PacketSample& packet, const FlowPacket& flow) {
  if (flow.connection == nullptr) return;
  const Moment time = momentOf(packet.time);
  m_first = isEmpty() ? time : std::min(m_first, time);
  m_last = isEmpty() ? time : std::max(m_last, time);
  if (flow.role.segment.kind != SegmentKind::none || packet.flags.rst()) takeSegment(packet, flow);
  if (packet.flags.ack() && !packet.flags.rst()) takeAcknowledgment(packet, flow);
}

void PacketSeries::takeSegment(const PacketSample& packet, const FlowPacket& flow) {
  DirectionSeries& own = m_directions[flow.side];
  SegmentPoint& point = own.nextSegment();
  point.time = momentOf(packet.time);
  point.begin = flow.role.segment.range.begin;
  point.bytes = static_cast<std::uint32_t>(flow.role.segment.range.bytes());
  if (packet.flags.rst()) {
    // A reset is no piece of the stream: it stands where the stream ends.
    const auto& segments = own.segments();
    point.begin = segments.empty() ? firstOffset(packet.sequence) : unwrap(packet.sequence, segments.back().end());
    point.bytes = 0;
  }
  point.packet = shortNumber(packet.number);
  point.inFlightBytes = inFlightOf(flow.connection->transmission(flow.side));
  point.kind = flow.role.segment.kind;
  point.flags = packet.flags;
  point.window = packet.window;
  own.addSegment(flow.role.segment.cause);
}

void PacketSeries::takeAcknowledgment(const PacketSample& packet, const FlowPacket& flow) {
  DirectionSeries& other = m_directions[1 - flow.side];
  const bool hasSack = !packet.options.empty() && !loneTimestamps(packet.options);
  if (!hasSack && repeatsNewest(other, packet, flow.role)) return;
  const StreamOffset near = other.segments().empty()
                                ? (other.acknowledgments().empty() ? firstOffset(packet.acknowledgment)
                                                                   : other.acknowledgments().back().number)
                                : other.segments().back().end();
  AcknowledgmentPoint& point = other.nextAcknowledgment();
  point.time = momentOf(packet.time);
  point.number = unwrap(packet.acknowledgment, near);
  const auto& rtt = flow.role.acknowledgment.rtt;
  point.rttUs = rtt ? static_cast<float>(toSeconds(*rtt) * 1e6) : std::numeric_limits<float>::quiet_NaN();
  point.packet = shortNumber(packet.number);
  point.inFlightBytes = inFlightOf(flow.connection->transmission(static_cast<FlowSide>(1 - flow.side)));
  point.window = packet.window;
  point.hasWindow = !packet.flags.syn();
  point.isDuplicate = flow.role.isDuplicateAck;
  point.flags = packet.flags;
  if (!hasSack) return other.addAcknowledgment({});
  std::array<SequenceRange, TcpOptionList::kMaxSackBlocks> blocks{};
  std::size_t count = 0;
  const TcpOptionList options = TcpOptionList::parse(packet.options, packet.optionsAreCut);
  for (const SackBlock& block : options.sackBlocks())
    blocks.at(count++) = {unwrap(block.begin, near), unwrap(block.end, near)};
  other.addAcknowledgment(std::span(blocks).first(count));
}

void PacketSeries::finish(const CaptureConnection& connection) {
  const ConnectionSummary summary = connection.summary();
  const FlowSide first = connection.initiator();
  for (const FlowSide side : {FlowSide{0}, FlowSide{1}}) {
    const DirectionSummary& own = summary.directions[side == first ? 0 : 1];
    m_directions[side].adoptCauses(own.retransmissions, m_clock);
    m_directions[side].setWindowScale(connection.windowScale(static_cast<FlowSide>(1 - side)));
  }
}

PacketSeries PacketSeries::since(Moment from) const {
  PacketSeries copy(m_clock);
  copy.m_directions = {m_directions[0].since(from), m_directions[1].since(from)};
  copy.m_first = std::max(m_first, from);
  copy.m_last = std::max(m_last, copy.m_first);
  return copy;
}

std::size_t PacketSeries::residentBytes() const {
  return m_directions[0].residentBytes() + m_directions[1].residentBytes();
}

}  // namespace tcpscope
