#include "app/lab/path/packet_port.h"

#include <cerrno>

#include "app/lab/path/ring_port.h"
#include "app/lab/path/tun_port.h"

namespace tcpscope::lab {

Expected<std::unique_ptr<PacketPort>, int> makePacketPort(const PathPort& description) {
  switch (description.kind) {
    case PathPort::Kind::tun:
      return std::make_unique<TunPort>(description.descriptor);
    case PathPort::Kind::packetSocket:
      return RingPort::make(description);
  }
  return tl::unexpected(EINVAL);
}

}  // namespace tcpscope::lab
