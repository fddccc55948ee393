// Captures in the pcapng format: many interfaces with link types and clocks of their own, many sections, both byte
// orders. libpcap refuses files with several link types, so this is read here.
//
// An unknown block is skipped by its length. An impossible length ends the reading, since the start of the next block
// is unknown; a packet that does not fit into its block is left out. Memory is bounded by the longest block that is
// read and the number of interfaces of one section.
#pragma once

#include <memory>
#include <vector>

#include "collectors/pcap/capture_format_reader.h"
#include "collectors/pcap/input_window.h"
#include "collectors/pcap/pcapng_block.h"
#include "core/base/expected.h"

namespace tcpscope {

class PcapngReader final : public CaptureFormatReader {
public:
  /// The window must stand on the first section's header, and live longer. Fails with `cut`, `lyingLength`,
  /// `unsupportedVersion`, or as the source does.
  static Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> open(InputWindow& window);

  CaptureItem next() override;
  [[nodiscard]] CaptureDrops drops() const override;
  /// Another section has other interfaces, and may have another byte order.
  [[nodiscard]] bool mayJump() const override { return m_sections == 1; }
  bool jumpTo(PacketPlace place) override;

private:
  struct Interface {
    LinkType linkType = LinkType::ethernet;
    std::uint32_t snapBytes = 0;
    InterfaceClock clock;
    /// By its latest statistics, which count from the beginning.
    std::optional<std::uint64_t> dropped;
  };
  /// What the three kinds of packet blocks have in common.
  struct PacketFields {
    std::uint32_t interface = 0;
    std::uint32_t wireBytes = 0;
    std::size_t bytesAt = 0;
    std::size_t bytes = 0;
    std::optional<std::uint64_t> time;
    std::uint64_t lostBefore = 0;
  };

  explicit PcapngReader(InputWindow& window) : m_window(window) {}

  // The following give nothing where the next block is to be read.
  CaptureItem readBlock();
  CaptureItem passOver(std::uint32_t length);
  CaptureItem readKnown(std::uint32_t type, std::uint32_t length);
  CaptureItem readBody(std::uint32_t type, SectionBytes body);
  CaptureItem beginSection(SectionBytes body);
  void describeInterface(SectionBytes body);
  void takeStatistics(SectionBytes body);
  CaptureItem readTimedPacket(std::uint32_t type, SectionBytes body);
  CaptureItem readSimplePacket(SectionBytes body);
  CaptureItem packetOf(SectionBytes body, const PacketFields& fields);
  CaptureItem leaveOut(CaptureFaultKind kind);
  CaptureItem endWith(CaptureFaultKind kind);
  CaptureItem endOfSource();
  [[nodiscard]] std::optional<std::uint64_t> droppedInSection() const;

  InputWindow& m_window;
  bool m_isSwapped = false;
  bool m_isOver = false;
  std::uint64_t m_sections = 0;
  std::vector<Interface> m_interfaces;
  /// Interfaces of the sections before this one.
  std::uint32_t m_interfacesBefore = 0;
  std::uint64_t m_blockOffset = 0;
  std::uint64_t m_nextNumber = 0;
  CaptureDrops m_drops;
  /// The frame follows the report of the packets lost before it.
  bool m_isFrameWaiting = false;
};

}  // namespace tcpscope
