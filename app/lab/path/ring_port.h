// A port over one end of a pair of virtual Ethernet devices, for machines whose /dev/net/tun is closed: a packet socket
// with a memory-mapped ring (PACKET_RX_RING, TPACKET_V2: version 3 hands packets over late), which holds what the
// socket buffer of an ordinary user cannot.
//
// Assumes a bound AF_PACKET, SOCK_DGRAM socket, and that offloads and address resolution are off at both ends of the
// pair. A packet that an offload has joined or left without a checksum is not let in, and counted as missed.
#pragma once

#include <string>

#include "app/lab/path/packet_port.h"

namespace tcpscope::lab {

class RingPort final : public PacketPort {
public:
  /// errno where the kernel refuses the ring. The descriptor stays the owner's.
  static Expected<std::unique_ptr<PacketPort>, int> make(const PathPort& description);
  ~RingPort() override;

  [[nodiscard]] int descriptor() const override { return m_description.descriptor; }
  std::span<const std::uint8_t> receive() override;
  bool send(std::span<const std::uint8_t> packet) override;
  std::optional<Count> missed() override;

private:
  RingPort(const PathPort& description, std::span<std::uint8_t> ring, std::size_t frameBytes);
  [[nodiscard]] std::uint8_t* frame() const { return m_ring.data() + m_frame * m_frameBytes; }
  void giveFrameBack();

  PathPort m_description;
  /// Shared with the kernel.
  std::span<std::uint8_t> m_ring;
  std::size_t m_frameBytes;
  std::size_t m_frame = 0;
  bool m_holdsFrame = false;
  Count m_missed;
  std::optional<std::uint64_t> m_hostDropsBefore;
};

}  // namespace tcpscope::lab
