// A port over a TUN device (IFF_TUN | IFF_NO_PI, no virtio header, one queue): what is read was sent by the host, what
// is written arrives at it, in the same call. The device has no offloads, so a packet is a packet.
//
// The device keeps txqueuelen packets for the reader: give it room (10,000), or it drops before the path does, which
// its tx_dropped counter says.
#pragma once

#include <string>
#include <vector>

#include "app/lab/path/packet_port.h"

namespace tcpscope::lab {

class TunPort final : public PacketPort {
public:
  /// A descriptor of /dev/net/tun in non-blocking mode; it stays the owner's.
  explicit TunPort(int descriptor);
  ~TunPort() override;

  [[nodiscard]] int descriptor() const override { return m_descriptor; }
  std::span<const std::uint8_t> receive() override;
  bool send(std::span<const std::uint8_t> packet) override;
  /// Needs CAP_SYS_ADMIN over the device's network namespace when the port is made.
  std::optional<Count> missed() override;

private:
  int m_descriptor;
  std::string m_device;
  /// net/dev of the device's network namespace.
  int m_counters = -1;
  std::optional<std::uint64_t> m_dropsBefore;
  std::vector<std::uint8_t> m_buffer;
};

}  // namespace tcpscope::lab
