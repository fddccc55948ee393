#include "collectors/pcap/capture_writer.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "collectors/pcap/pcapng_block.h"

namespace tcpscope {

namespace {

// Every number is in the byte order of the host.
constexpr std::uint32_t kSectionHeaderBytes = 28;
constexpr std::uint32_t kEnhancedPacketBytes = 32;
constexpr std::uint32_t kInterfaceStatisticsBytes = 52;
constexpr std::size_t kPendingBytes = std::size_t{256} << 10U;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestComment = 65'532;
/// The headers of the comment and of the end of options.
constexpr std::uint32_t kOptionsAroundComment = 8;

constexpr std::uint32_t padded(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + 3) / 4 * 4);
}

}  // namespace

CaptureWriter::CaptureWriter(int descriptor, LinkType linkType, std::string_view interfaceName, Bytes snapLength)
    : m_descriptor(descriptor), m_snapLength(snapLength.value()) {
  m_pending.reserve(kPendingBytes + kEnhancedPacketBytes + m_snapLength);
  sectionHeader();
  interfaceDescription(linkType, interfaceName.substr(0, kLongestName));
}

template <class Number>
void CaptureWriter::number(Number value) {
  for (const std::byte byte : std::as_bytes(std::span(&value, 1))) m_pending.push_back(byte);
}

void CaptureWriter::number16(std::uint16_t value) {
  number(value);
}

void CaptureWriter::number32(std::uint32_t value) {
  number(value);
}

void CaptureWriter::number64(std::uint64_t value) {
  number(value);
}

/// Two words, the upper first in either byte order.
void CaptureWriter::timestamp(WallTime time) {
  const auto nanoseconds = static_cast<std::uint64_t>(time.nanoseconds());
  number32(static_cast<std::uint32_t>(nanoseconds >> 32U));
  number32(static_cast<std::uint32_t>(nanoseconds));
}

void CaptureWriter::paddedBytes(std::span<const std::byte> bytes) {
  m_pending.insert(m_pending.end(), bytes.begin(), bytes.end());
  m_pending.resize(m_pending.size() + padded(bytes.size()) - bytes.size());
}

void CaptureWriter::sectionHeader() {
  number32(kSectionHeaderBlock);
  number32(kSectionHeaderBytes);
  number32(kByteOrderMagic);
  number16(1);
  number16(0);
  // Of unknown length, as a file that still grows.
  number32(~std::uint32_t{0});
  number32(~std::uint32_t{0});
  number32(kSectionHeaderBytes);
}

void CaptureWriter::interfaceDescription(LinkType linkType, std::string_view name) {
  const std::uint32_t bytes = 20 + 4 + padded(name.size()) + 8 + 4;
  number32(kInterfaceDescriptionBlock);
  number32(bytes);
  number16(static_cast<std::uint16_t>(linkType));
  number16(0);
  number32(static_cast<std::uint32_t>(m_snapLength));
  number16(kInterfaceNameOption);
  number16(static_cast<std::uint16_t>(name.size()));
  paddedBytes(std::as_bytes(std::span(name.data(), name.size())));
  number16(kTimeResolutionOption);
  number16(1);
  // Ten to the minus ninth.
  number32(std::endian::native == std::endian::little ? 9U : 9U << 24U);
  number16(kEndOfOptions);
  number16(0);
  number32(bytes);
}

void CaptureWriter::write(WallTime time, std::span<const std::byte> beginning, std::size_t wireBytes,
                          std::string_view comment) {
  const std::span<const std::byte> kept = beginning.first(std::min(beginning.size(), m_snapLength));
  comment = comment.substr(0, kLongestComment);
  const std::uint32_t options = comment.empty() ? 0 : kOptionsAroundComment + padded(comment.size());
  const std::uint32_t bytes = kEnhancedPacketBytes + padded(kept.size()) + options;
  number32(kEnhancedPacketBlock);
  number32(bytes);
  number32(0);
  timestamp(time);
  number32(static_cast<std::uint32_t>(kept.size()));
  number32(static_cast<std::uint32_t>(wireBytes));
  paddedBytes(kept);
  if (!comment.empty()) {
    number16(kCommentOption);
    number16(static_cast<std::uint16_t>(comment.size()));
    paddedBytes(std::as_bytes(std::span(comment.data(), comment.size())));
    number16(kEndOfOptions);
    number16(0);
  }
  number32(bytes);
  ++m_pendingPackets;
  if (m_pending.size() >= kPendingBytes) flush();
}

void CaptureWriter::addCounts(WallTime time, Count received, Count dropped) {
  number32(kInterfaceStatisticsBlock);
  number32(kInterfaceStatisticsBytes);
  number32(0);
  timestamp(time);
  for (const auto& [option, count] :
       {std::pair(kReceivedOption, received), std::pair(kDroppedBySystemOption, dropped)}) {
    number16(option);
    number16(sizeof(std::uint64_t));
    number64(count.value());
  }
  number16(kEndOfOptions);
  number16(0);
  number32(kInterfaceStatisticsBytes);
  flush();
}

void CaptureWriter::flush() {
  std::span<const std::byte> rest = m_pending;
  while (!rest.empty()) {
    const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      m_lost += Count(m_pendingPackets);
      break;
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  m_pending.clear();
  m_pendingPackets = 0;
}

}  // namespace tcpscope
