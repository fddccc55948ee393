#include "collectors/pcap/pcapng_reader.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// Type and length in front, the length again behind.
constexpr std::uint32_t kBlockHeaderBytes = 8;
constexpr std::uint32_t kBlockTrailerBytes = 4;
constexpr std::uint32_t kSmallestBlock = kBlockHeaderBytes + kBlockTrailerBytes;
/// No more of a block is looked at; a packet has at most a quarter of this, or another tool made the file.
constexpr std::uint32_t kLargestPeek = 1U << 20U;
/// More interfaces no machine has; their packets count as of an unknown one.
constexpr std::size_t kMostInterfaces = 65'536;

bool isPacket(std::uint32_t type) {
  return type == kEnhancedPacketBlock || type == kSimplePacketBlock || type == kObsoletePacketBlock;
}

bool isKnown(std::uint32_t type) {
  return isPacket(type) || type == kSectionHeaderBlock || type == kInterfaceDescriptionBlock ||
         type == kInterfaceStatisticsBlock;
}

std::optional<std::uint64_t> sum(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
  if (!a || !b) return a ? a : b;
  return *a + *b;
}

}  // namespace

Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> PcapngReader::open(InputWindow& window) {
  std::unique_ptr<PcapngReader> reader(new PcapngReader(window));
  if (const CaptureItem item = reader->readBlock()) return Unexpected<CaptureFault>(*item.fault);
  return std::unique_ptr<CaptureFormatReader>(std::move(reader));
}

CaptureItem PcapngReader::next() {
  if (m_isFrameWaiting) {
    m_isFrameWaiting = false;
    return frameItem();
  }
  while (!m_isOver) {
    if (const CaptureItem item = readBlock()) return item;
  }
  return {};
}

bool PcapngReader::jumpTo(PacketPlace place) {
  m_isOver = false;
  m_isFrameWaiting = false;
  m_nextNumber = place.number;
  return m_window.jumpTo(place.offset);
}

CaptureItem PcapngReader::readBlock() {
  m_blockOffset = m_window.offset();
  SectionBytes header(m_window.ahead(kBlockHeaderBytes), m_isSwapped);
  if (header.size() < kBlockHeaderBytes) return endOfSource();
  if (header.u32(0) == kSectionHeaderBlock) {
    // Its type reads the same in both byte orders, and what follows says which one it is.
    header = SectionBytes(m_window.ahead(kSmallestBlock), false);
    if (header.size() < kSmallestBlock) return endOfSource();
    m_isSwapped = header.u32(kBlockHeaderBytes) == __builtin_bswap32(kByteOrderMagic);
    if (!m_isSwapped && header.u32(kBlockHeaderBytes) != kByteOrderMagic) {
      return endWith(CaptureFaultKind::unsupportedVersion);
    }
    header = SectionBytes(header.all(), m_isSwapped);
  }
  const std::uint32_t type = header.u32(0);
  const std::uint32_t length = header.u32(4);
  if (length < kSmallestBlock || length % 4 != 0) return endWith(CaptureFaultKind::lyingLength);
  return isKnown(type) ? readKnown(type, length) : passOver(length);
}

/// Moves behind a block of which nothing, or nothing more, is needed; `length` is what is left of it.
CaptureItem PcapngReader::passOver(std::uint32_t length) {
  const std::uint64_t blockBytes = m_window.offset() - m_blockOffset + length;
  if (!m_window.skip(length - kBlockTrailerBytes)) return endOfSource();
  const SectionBytes trailer(m_window.ahead(kBlockTrailerBytes), m_isSwapped);
  if (trailer.size() < kBlockTrailerBytes) return endOfSource();
  if (trailer.u32(0) != blockBytes) return endWith(CaptureFaultKind::lyingLength);
  m_window.take(kBlockTrailerBytes);
  return {};
}

CaptureItem PcapngReader::readKnown(std::uint32_t type, std::uint32_t length) {
  const bool isWhole = length <= kLargestPeek;
  if (!isWhole && isPacket(type)) {
    const CaptureItem fault = passOver(length);
    return fault ? fault : leaveOut(CaptureFaultKind::lyingLength);
  }
  const std::uint32_t peeked = isWhole ? length : kLargestPeek;
  const SectionBytes block(m_window.ahead(peeked), m_isSwapped);
  if (block.size() < peeked) return endOfSource();
  if (isWhole && block.u32(length - kBlockTrailerBytes) != length) return endWith(CaptureFaultKind::lyingLength);
  const std::size_t bodyEnd = isWhole ? length - kBlockTrailerBytes : peeked;
  // The bytes stay until more are asked for.
  m_window.take(peeked);
  const CaptureItem item = readBody(type, block.first(bodyEnd).from(kBlockHeaderBytes));
  return isWhole || item ? item : passOver(length - peeked);
}

CaptureItem PcapngReader::readBody(std::uint32_t type, SectionBytes body) {
  switch (type) {
    case kEnhancedPacketBlock:
    case kObsoletePacketBlock:
      return readTimedPacket(type, body);
    case kSimplePacketBlock:
      return readSimplePacket(body);
    case kSectionHeaderBlock:
      return beginSection(body);
    case kInterfaceDescriptionBlock:
      describeInterface(body);
      return {};
    default:
      takeStatistics(body);
      return {};
  }
}

/// Magic, version, and a length that is not needed.
CaptureItem PcapngReader::beginSection(SectionBytes body) {
  constexpr std::size_t kFixedBytes = 16;
  constexpr std::uint16_t kVersion = 1;
  if (body.size() < kFixedBytes) return endWith(CaptureFaultKind::lyingLength);
  if (body.u16(4) != kVersion) return endWith(CaptureFaultKind::unsupportedVersion);
  m_drops.byStatistics = sum(m_drops.byStatistics, droppedInSection());
  m_interfacesBefore += static_cast<std::uint32_t>(m_interfaces.size());
  m_interfaces.clear();
  ++m_sections;
  return {};
}

void PcapngReader::describeInterface(SectionBytes body) {
  constexpr std::size_t kFixedBytes = 8;
  // Interfaces count by their place, so that one without a description keeps its place, and its packets are left out
  // by their link type.
  if (m_interfaces.size() >= kMostInterfaces) return;
  Interface described;
  described.linkType = static_cast<LinkType>(0xffff);
  if (body.size() >= kFixedBytes) {
    described.linkType = static_cast<LinkType>(body.u16(0));
    described.snapBytes = body.u32(4);
    const SectionBytes options = body.from(kFixedBytes);
    if (const auto value = findOption(options, kTimeResolutionOption, 1)) described.clock.resolution = value->u8(0);
    if (const auto value = findOption(options, kTimeOffsetOption, 8)) {
      described.clock.offsetSeconds = static_cast<std::int64_t>(value->u64(0));
    }
  }
  m_interfaces.push_back(described);
}

/// What the interface lacked room for, and what the system did.
void PcapngReader::takeStatistics(SectionBytes body) {
  constexpr std::size_t kFixedBytes = 12;
  if (body.size() < kFixedBytes || body.u32(0) >= m_interfaces.size()) return;
  const SectionBytes options = body.from(kFixedBytes);
  const auto number = [&options](std::uint16_t code) -> std::optional<std::uint64_t> {
    const auto value = findOption(options, code, 8);
    return value ? std::optional(value->u64(0)) : std::nullopt;
  };
  if (const auto dropped = sum(number(kDroppedByInterfaceOption), number(kDroppedBySystemOption))) {
    m_interfaces[body.u32(0)].dropped = dropped;
  }
}

/// The old and the new block differ in how they name the interface and where they count losses.
CaptureItem PcapngReader::readTimedPacket(std::uint32_t type, SectionBytes body) {
  constexpr std::size_t kFixedBytes = 20;
  constexpr std::uint16_t kUnknownDrops = 0xffff;
  if (body.size() < kFixedBytes) return leaveOut(CaptureFaultKind::lyingLength);
  PacketFields fields;
  fields.time = std::uint64_t{body.u32(4)} << 32 | body.u32(8);
  fields.bytes = body.u32(12);
  fields.wireBytes = body.u32(16);
  fields.bytesAt = kFixedBytes;
  if (type == kObsoletePacketBlock) {
    fields.interface = body.u16(0);
    if (body.u16(2) != kUnknownDrops) fields.lostBefore = body.u16(2);
  } else {
    fields.interface = body.u32(0);
    const SectionBytes options = body.from(kFixedBytes + (fields.bytes + 3) / 4 * 4);
    if (const auto value = findOption(options, kDropCountOption, 8)) fields.lostBefore = value->u64(0);
  }
  return packetOf(body, fields);
}

/// Of the section's first interface, without a time; how much was kept follows from the snap length.
CaptureItem PcapngReader::readSimplePacket(SectionBytes body) {
  constexpr std::size_t kFixedBytes = 4;
  if (body.size() < kFixedBytes) return leaveOut(CaptureFaultKind::lyingLength);
  if (m_interfaces.empty()) return leaveOut(CaptureFaultKind::unknownInterface);
  PacketFields fields;
  fields.wireBytes = body.u32(0);
  fields.bytesAt = kFixedBytes;
  const std::uint32_t snapBytes = m_interfaces.front().snapBytes;
  fields.bytes = snapBytes == 0 ? fields.wireBytes : std::min(fields.wireBytes, snapBytes);
  return packetOf(body, fields);
}

CaptureItem PcapngReader::packetOf(SectionBytes body, const PacketFields& fields) {
  if (fields.bytes > body.size() - fields.bytesAt) return leaveOut(CaptureFaultKind::lyingLength);
  if (fields.interface >= m_interfaces.size()) return leaveOut(CaptureFaultKind::unknownInterface);
  const Interface& interface = m_interfaces[fields.interface];
  m_frame.linkType = interface.linkType;
  m_frame.interface = m_interfacesBefore + fields.interface;
  m_frame.number = m_nextNumber++;
  m_frame.offset = m_blockOffset;
  m_frame.time = fields.time ? interfaceTime(*fields.time, interface.clock) : std::nullopt;
  m_frame.wireBytes = fields.wireBytes;
  m_frame.bytes = body.all().subspan(fields.bytesAt, fields.bytes);
  if (fields.lostBefore == 0) return frameItem();
  m_isFrameWaiting = true;
  m_drops.betweenPackets += fields.lostBefore;
  CaptureFault lost;
  lost.kind = CaptureFaultKind::lostPackets;
  lost.offset = m_blockOffset;
  lost.packets = fields.lostBefore;
  return faultItem(lost);
}

/// A packet that cannot be used still has its place in the count.
CaptureItem PcapngReader::leaveOut(CaptureFaultKind kind) {
  ++m_nextNumber;
  CaptureFault fault;
  fault.kind = kind;
  fault.offset = m_blockOffset;
  fault.packets = 1;
  return faultItem(fault);
}

CaptureItem PcapngReader::endWith(CaptureFaultKind kind) {
  m_isOver = true;
  CaptureFault fault;
  fault.kind = kind;
  fault.offset = m_blockOffset;
  return faultItem(fault);
}

/// Nothing where the end comes between two blocks.
CaptureItem PcapngReader::endOfSource() {
  m_isOver = true;
  if (!m_window.fault() && m_window.endOffset() == m_blockOffset) return {};
  CaptureFault fault;
  fault.kind = CaptureFaultKind::cut;
  if (m_window.fault()) fault = *m_window.fault();
  fault.offset = m_window.endOffset();
  return faultItem(fault);
}

std::optional<std::uint64_t> PcapngReader::droppedInSection() const {
  std::optional<std::uint64_t> dropped;
  for (const Interface& interface : m_interfaces) dropped = sum(dropped, interface.dropped);
  return dropped;
}

CaptureDrops PcapngReader::drops() const {
  CaptureDrops drops = m_drops;
  drops.byStatistics = sum(drops.byStatistics, droppedInSection());
  return drops;
}

}  // namespace tcpscope
