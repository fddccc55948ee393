#include "core/session/capture/packet_log.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

namespace {

// The first byte of an entry.
constexpr unsigned kSideBit = 0x01;
constexpr unsigned kKindShift = 1;
constexpr unsigned kKindMask = 0x07;
constexpr unsigned kLoneTimestampsBit = 0x10;
constexpr unsigned kOtherOptionsBit = 0x20;
constexpr unsigned kCutBit = 0x40;
constexpr unsigned kFragmentBit = 0x80;

bool hasPacket(LoggedKind kind) {
  return kind == LoggedKind::packet || kind == LoggedKind::undecidedCopy;
}

/// The shorter way around.
std::int64_t difference(std::uint32_t number, std::uint32_t from) {
  return static_cast<std::int32_t>(number - from);
}

std::uint32_t moved(std::uint32_t from, std::int64_t difference) {
  return from + static_cast<std::uint32_t>(difference);
}

std::uint16_t moved(std::uint16_t from, std::int64_t difference) {
  return static_cast<std::uint16_t>(from + difference);
}

}  // namespace

std::uint8_t PacketLog::headOf(LoggedKind kind, FlowSide side) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(kind) << kKindShift | side);
}

void PacketLog::Before::remember(const PacketSample& packet, FlowSide side) {
  End& end = ends[side];
  const unsigned control = (packet.flags.syn() ? 1U : 0U) + (packet.flags.fin() ? 1U : 0U);
  end.nextSequence = packet.sequence + packet.payloadBytes + control;
  end.acknowledgment = packet.acknowledgment;
  end.window = packet.window;
  end.identification = packet.identification;
  end.isStarted = true;
  end.hasAcknowledged = end.hasAcknowledged || !packet.flags.syn();
  time = packet.time;
  number = packet.number;
}

PacketLog::PacketLog(const std::array<Endpoint, 2>& ends, std::span<const std::uint8_t> bytes) : m_ends(ends) {
  LoggedPackets written(bytes, ends);
  while (written.next()) {
  }
  m_before = written.m_before;
  m_size = bytes.size();
  std::copy(bytes.begin(), bytes.end(), m_bytes.get());
}

bool PacketLog::carriesOn(const PacketSample& packet, FlowSide side) const {
  const End& own = m_before.ends[side];
  const End& other = m_before.ends[1 - side];
  constexpr unsigned kControls = 0x17;
  constexpr unsigned kFin = 0x01;
  constexpr unsigned kSyn = 0x02;
  constexpr unsigned kAck = 0x10;
  const unsigned controls = packet.flags.bits & kControls;
  if (!own.isStarted) {
    if (!other.isStarted) return controls == kSyn;
    return controls == (kSyn | kAck) && packet.acknowledgment == other.nextSequence;
  }
  if ((controls & ~kFin) != kAck || packet.sequence != own.nextSequence || !other.isStarted) return false;
  if (difference(packet.acknowledgment, other.nextSequence) > 0) return false;
  if (!own.hasAcknowledged) return true;
  const std::int64_t news = difference(packet.acknowledgment, own.acknowledgment);
  const bool hasNumbers = packet.payloadBytes > 0 || packet.flags.fin();
  return hasNumbers ? news >= 0 : news > 0;
}

void PacketLog::add(const PacketSample& packet, FlowSide side, LoggedKind kind) {
  const auto timestamps = loneTimestamps(packet.options);
  const std::size_t optionBytes = std::min(packet.options.size(), kMostOptionBytes);
  unsigned head = headOf(kind, side);
  if (timestamps) head |= kLoneTimestampsBit;
  if (!timestamps && optionBytes > 0) head |= kOtherOptionsBit;
  if (packet.optionsAreCut) head |= kCutBit;
  if (packet.isFirstFragment) head |= kFragmentBit;
  std::uint8_t* to = m_bytes.get() + m_size;
  const auto put = [&to](std::uint8_t byte) { *to++ = byte; };
  const auto putSigned = [&put](std::int64_t number) { writeNumber(unsignedOf(number), put); };
  put(static_cast<std::uint8_t>(head));
  put(packet.flags.bits);
  put(static_cast<std::uint8_t>(packet.ecn));
  End& end = m_before.ends[side];
  // Of hostile times the difference may be beyond the range; it comes back all the same.
  putSigned(static_cast<std::int64_t>(static_cast<std::uint64_t>(packet.time.nanoseconds()) -
                                      static_cast<std::uint64_t>(m_before.time.nanoseconds())));
  putSigned(static_cast<std::int64_t>(packet.number - m_before.number));
  putSigned(difference(packet.sequence, end.nextSequence));
  putSigned(difference(packet.acknowledgment, end.acknowledgment));
  writeNumber(packet.payloadBytes, put);
  putSigned(std::int64_t{packet.window} - end.window);
  putSigned(std::int64_t{packet.identification} - end.identification);
  if (timestamps) {
    putSigned(difference(timestamps->value, std::exchange(end.timestamp, timestamps->value)));
    putSigned(difference(timestamps->echo, std::exchange(end.echo, timestamps->echo)));
  } else if (optionBytes > 0) {
    put(static_cast<std::uint8_t>(optionBytes));
    for (const std::byte byte : packet.options.first(optionBytes)) put(std::to_integer<std::uint8_t>(byte));
  }
  m_size = static_cast<std::size_t>(to - m_bytes.get());
  m_before.remember(packet, side);
}

bool LoggedPackets::next() {
  if (m_rest.empty()) return false;
  const std::uint8_t head = takeByte(m_rest);
  m_side = head & kSideBit;
  m_kind = static_cast<LoggedKind>(head >> kKindShift & kKindMask);
  if (hasPacket(m_kind)) readPacket(head);
  return true;
}

void LoggedPackets::readPacket(std::uint8_t head) {
  std::span<const std::uint8_t> rest = m_rest;
  const auto takeSigned = [&rest] { return signedOf(takeNumber(rest)); };
  PacketLog::End& end = m_before.ends[m_side];
  m_packet.source = m_ends[m_side];
  m_packet.destination = m_ends[1 - m_side];
  m_packet.flags.bits = takeByte(rest);
  m_packet.ecn = static_cast<EcnCodepoint>(takeByte(rest));
  const auto since = static_cast<std::uint64_t>(takeSigned());
  m_packet.time = WallTime::fromNanoseconds(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(m_before.time.nanoseconds()) + since));
  m_packet.number = m_before.number + static_cast<std::uint64_t>(takeSigned());
  m_packet.sequence = moved(end.nextSequence, takeSigned());
  m_packet.acknowledgment = moved(end.acknowledgment, takeSigned());
  m_packet.payloadBytes = static_cast<std::uint32_t>(takeNumber(rest));
  m_packet.window = moved(end.window, takeSigned());
  m_packet.identification = moved(end.identification, takeSigned());
  m_packet.optionsAreCut = (head & kCutBit) != 0;
  m_packet.isFirstFragment = (head & kFragmentBit) != 0;
  readOptions(rest, head, end);
  m_rest = rest;
  m_before.remember(m_packet, m_side);
}

void LoggedPackets::readOptions(std::span<const std::uint8_t>& rest, std::uint8_t head, PacketLog::End& end) {
  std::size_t size = 0;
  if ((head & kLoneTimestampsBit) != 0) {
    end.timestamp = moved(end.timestamp, signedOf(takeNumber(rest)));
    end.echo = moved(end.echo, signedOf(takeNumber(rest)));
    size = kLoneTimestampsBytes;
    writeLoneTimestamps(std::span(m_options).first<kLoneTimestampsBytes>(), {end.timestamp, end.echo});
  } else if ((head & kOtherOptionsBit) != 0) {
    size = takeByte(rest);
    for (std::size_t index = 0; index < size; ++index) m_options[index] = std::byte{takeByte(rest)};
  }
  m_packet.options = std::span(m_options).first(size);
}

}  // namespace tcpscope
