#include "collectors/pcap/pcap_reader.h"

#include <utility>

#include "collectors/pcap/pcapng_block.h"
#include "core/base/units.h"

namespace tcpscope {

namespace {

constexpr std::size_t kFileHeaderBytes = 24;
constexpr std::uint32_t kMicroseconds = 0xa1b2c3d4;
constexpr std::uint32_t kNanoseconds = 0xa1b23c4d;
/// Longer record headers.
constexpr std::uint32_t kKuznetzov = 0xa1b2cd34;
constexpr std::uint16_t kMajorVersion = 2;
constexpr std::uint16_t kNewestMinorVersion = 4;
/// The two lengths of a record stood the other way round before this, and in files of it either way.
constexpr std::uint16_t kMinorVersionOfDoubt = 3;
/// The upper bits describe a frame check sequence.
constexpr std::uint32_t kLinkTypeBits = 0x03ffffff;
/// What libpcap takes for the longest that a packet can be.
constexpr std::uint32_t kMostKeptBytes = 262'144;

bool isKnownMagic(std::uint32_t magic) {
  return magic == kMicroseconds || magic == kNanoseconds || magic == kKuznetzov;
}

/// Why there are fewer bytes than there should be.
CaptureFault faultOf(const InputWindow& window, CaptureFaultKind kind) {
  CaptureFault fault;
  if (window.fault()) fault = *window.fault();
  if (!window.fault()) fault.kind = kind;
  fault.offset = window.endOffset();
  return fault;
}

}  // namespace

Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> PcapReader::open(InputWindow& window) {
  const std::span<const std::byte> ahead = window.ahead(kFileHeaderBytes);
  if (ahead.size() < kFileHeaderBytes) return Unexpected<CaptureFault>(faultOf(window, CaptureFaultKind::cut));
  SectionBytes header(ahead, false);
  std::unique_ptr<PcapReader> reader(new PcapReader(window));
  reader->m_isSwapped = !isKnownMagic(header.u32(0));
  header = SectionBytes(ahead, reader->m_isSwapped);
  reader->m_minorVersion = header.u16(6);
  const bool isDefined = isKnownMagic(header.u32(0)) && header.u16(4) == kMajorVersion;
  if (!isDefined || reader->m_minorVersion > kNewestMinorVersion) {
    CaptureFault fault;
    fault.kind = CaptureFaultKind::unsupportedVersion;
    return Unexpected<CaptureFault>(fault);
  }
  if (header.u32(0) == kNanoseconds) reader->m_fractionNanoseconds = 1;
  if (header.u32(0) == kKuznetzov) reader->m_recordHeaderBytes = 24;
  reader->m_frame.linkType = static_cast<LinkType>(header.u32(20) & kLinkTypeBits);
  window.take(kFileHeaderBytes);
  return std::unique_ptr<CaptureFormatReader>(std::move(reader));
}

CaptureItem PcapReader::next() {
  if (m_isOver) return {};
  const SectionBytes header(m_window.ahead(m_recordHeaderBytes), m_isSwapped);
  if (header.size() < m_recordHeaderBytes) return endOfSource(header.size());
  std::uint32_t keptBytes = header.u32(8);
  std::uint32_t wireBytes = header.u32(12);
  const bool isOld = m_minorVersion < kMinorVersionOfDoubt;
  if (isOld || (m_minorVersion == kMinorVersionOfDoubt && keptBytes > wireBytes)) std::swap(keptBytes, wireBytes);
  if (keptBytes > kMostKeptBytes) {
    m_isOver = true;
    CaptureFault fault;
    fault.kind = CaptureFaultKind::lyingLength;
    fault.offset = m_window.offset();
    return faultItem(fault);
  }
  const std::int64_t seconds = header.u32(0);
  const std::int64_t fraction = header.u32(4);
  const std::size_t recordBytes = m_recordHeaderBytes + keptBytes;
  const std::span<const std::byte> record = m_window.ahead(recordBytes);
  if (record.size() < recordBytes) return endOfSource(record.size());
  m_frame.number = m_nextNumber++;
  m_frame.offset = m_window.offset();
  m_frame.time = WallTime::fromNanoseconds(seconds * kNanosecondsPerSecond + fraction * m_fractionNanoseconds);
  m_frame.wireBytes = wireBytes;
  m_frame.bytes = record.subspan(m_recordHeaderBytes, keptBytes);
  // The bytes stay until more are asked for.
  m_window.take(recordBytes);
  return frameItem();
}

bool PcapReader::jumpTo(PacketPlace place) {
  m_isOver = false;
  m_nextNumber = place.number;
  return m_window.jumpTo(place.offset);
}

CaptureItem PcapReader::endOfSource(std::size_t bytesThere) {
  m_isOver = true;
  if (bytesThere == 0 && !m_window.fault()) return {};
  return faultItem(faultOf(m_window, CaptureFaultKind::cut));
}

}  // namespace tcpscope
