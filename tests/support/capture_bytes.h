// Captures as bytes: the same frames as pcap or pcapng, in either byte order, with any clock.
#pragma once

#include <optional>
#include <string_view>

#include "tests/support/packet_bytes.h"

namespace tcpscope::test {

/// A frame as it goes into a file.
struct RecordedFrame {
  WallTime time;
  Octets bytes;
  /// Where the snap length cut it.
  std::optional<std::uint32_t> wireBytes{};
};

struct PcapShape {
  bool isBigEndian = false;
  bool hasNanoseconds = false;
  /// As in the tcpdump project's list of link types; 1 is Ethernet.
  std::uint32_t linkType = 1;
};

Octets pcapFile(const std::vector<RecordedFrame>& frames, const PcapShape& shape = {});

struct InterfaceShape {
  std::uint16_t linkType = 1;
  std::uint32_t snapBytes = 0;
  /// if_tsresol as in the file: 6 are microseconds, 9 nanoseconds, 0x80 | n powers of 2; it is left out where it is 6.
  std::uint8_t resolution = 6;
  std::int64_t offsetSeconds = 0;
};

/// Writes blocks one behind the other.
class PcapngText {
public:
  explicit PcapngText(bool isBigEndian = false) : m_isBigEndian(isBigEndian) { section(isBigEndian); }

  PcapngText& section(bool isBigEndian);
  PcapngText& interface(const InterfaceShape& shape = {});
  /// The enhanced packet block; `lostBefore` becomes its drop count.
  PcapngText& packet(std::uint32_t interface, const RecordedFrame& frame, std::uint64_t lostBefore = 0);
  PcapngText& obsoletePacket(std::uint16_t interface, const RecordedFrame& frame, std::uint16_t lostBefore = 0xffff);
  PcapngText& simplePacket(const RecordedFrame& frame);
  PcapngText& statistics(std::uint32_t interface, std::uint64_t droppedByInterface, std::uint64_t droppedBySystem);
  PcapngText& block(std::uint32_t type, const Octets& body);
  /// A block whose lengths are what the test says.
  PcapngText& block(std::uint32_t type, const Octets& body, std::uint32_t lengthInFront, std::uint32_t lengthBehind);

  [[nodiscard]] const Octets& bytes() const { return m_bytes; }
  /// A number in the byte order of the section.
  [[nodiscard]] Octets number(std::uint64_t value, std::size_t size) const;

private:
  [[nodiscard]] Octets option(std::uint16_t code, const Octets& value) const;
  [[nodiscard]] Octets timeOf(std::uint32_t interface, WallTime time) const;

  bool m_isBigEndian;
  std::vector<InterfaceShape> m_interfaces;
  Octets m_bytes;
};

/// The frames behind one interface.
Octets pcapngFile(const std::vector<RecordedFrame>& frames, const InterfaceShape& shape = {}, bool isBigEndian = false);

}  // namespace tcpscope::test
