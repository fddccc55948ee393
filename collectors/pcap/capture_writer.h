// Writes packets of one interface into a capture file (pcapng: one section, nanoseconds).
//
// Packets wait in memory until some are together, so that writing one costs a copy; a disk that is full loses packets,
// and the writer says how many. The file is readable up to the last flush.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/pcap/captured_frame.h"
#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

class CaptureWriter {
public:
  /// The descriptor stays the owner's. At most `snapLength` bytes of each packet are kept.
  CaptureWriter(int descriptor, LinkType linkType, std::string_view interfaceName, Bytes snapLength);

  void write(WallTime time, std::span<const std::byte> packet) { write(time, packet, packet.size()); }
  /// Of a packet of which only its beginning is here. A comment is shown beside the packet; at most 64 KB of it are
  /// kept.
  void write(WallTime time, std::span<const std::byte> beginning, std::size_t wireBytes, std::string_view comment = {});
  /// How many packets have passed the filter so far and how many of them were dropped, by the capture's own counts; the
  /// latest are those of the file.
  void addCounts(WallTime time, Count received, Count dropped);
  void flush();
  /// Packets that could not be written.
  [[nodiscard]] Count lost() const { return m_lost; }

private:
  template <class Number>
  void number(Number value);
  void number16(std::uint16_t value);
  void number32(std::uint32_t value);
  void number64(std::uint64_t value);
  void timestamp(WallTime time);
  void paddedBytes(std::span<const std::byte> bytes);
  void sectionHeader();
  void interfaceDescription(LinkType linkType, std::string_view name);

  int m_descriptor;
  std::size_t m_snapLength;
  std::vector<std::byte> m_pending;
  std::size_t m_pendingPackets = 0;
  Count m_lost;
};

}  // namespace tcpscope
