#include "app/lab/path/ring_port.h"

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>

#include "app/lab/path/device_counters.h"

namespace tcpscope::lab {

namespace {

/// 4,096 packets of the usual size: 49 ms at 1 Gbit/s.
constexpr unsigned kRingBytes = 8U << 20U;
constexpr unsigned kBlockBytes = 1U << 20U;
/// Of TPACKET_V2, before the packet.
constexpr unsigned kFrameHeaderBytes = 128;

template <class Value>
bool setOption(int descriptor, int option, const Value& value) {
  return setsockopt(descriptor, SOL_PACKET, option, &value, sizeof value) == 0;
}

/// Room for the longest packet of the device, a power of two; 0 where there is no such device.
unsigned frameBytes(const PathPort& port) {
  ifreq request{};
  request.ifr_ifindex = port.interfaceIndex;
  if (ioctl(port.descriptor, SIOCGIFNAME, &request) != 0 || ioctl(port.descriptor, SIOCGIFMTU, &request) != 0) return 0;
  return std::bit_ceil(static_cast<unsigned>(std::clamp(request.ifr_mtu, 68, 65'536)) + kFrameHeaderBytes);
}

}  // namespace

Expected<std::unique_ptr<PacketPort>, int> RingPort::make(const PathPort& description) {
  const unsigned frame = frameBytes(description);
  const auto refused = [] { return tl::unexpected(errno); };
  if (frame == 0) return refused();
  const tpacket_req wanted{kBlockBytes, kRingBytes / kBlockBytes, frame, kRingBytes / frame};
  const int descriptor = description.descriptor;
  if (!setOption(descriptor, PACKET_IGNORE_OUTGOING, 1) || !setOption(descriptor, PACKET_QDISC_BYPASS, 1) ||
      !setOption(descriptor, PACKET_VERSION, static_cast<int>(TPACKET_V2)) ||
      !setOption(descriptor, PACKET_RX_RING, wanted)) {
    return refused();
  }
  void* const memory = mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return refused();
  const std::span<std::uint8_t> ring(static_cast<std::uint8_t*>(memory), kRingBytes);
  return std::unique_ptr<PacketPort>(new RingPort(description, ring, frame));
}

RingPort::RingPort(const PathPort& description, std::span<std::uint8_t> ring, std::size_t frameBytes)
    : m_description(description),
      m_ring(ring),
      m_frameBytes(frameBytes),
      m_hostDropsBefore(readTransmitDrops(description.hostCounters, description.hostDevice)) {}

RingPort::~RingPort() {
  munmap(m_ring.data(), m_ring.size());
}

void RingPort::giveFrameBack() {
  if (!m_holdsFrame) return;
  auto* const header = reinterpret_cast<tpacket2_hdr*>(frame());
  std::atomic_ref(header->tp_status).store(TP_STATUS_KERNEL, std::memory_order_release);
  m_frame = (m_frame + 1) % (m_ring.size() / m_frameBytes);
  m_holdsFrame = false;
}

std::span<const std::uint8_t> RingPort::receive() {
  while (true) {
    giveFrameBack();
    auto* const header = reinterpret_cast<tpacket2_hdr*>(frame());
    const std::uint32_t status = std::atomic_ref(header->tp_status).load(std::memory_order_acquire);
    if ((status & TP_STATUS_USER) == 0) return {};
    m_holdsFrame = true;
    const bool isWhole = header->tp_snaplen == header->tp_len && header->tp_snaplen > 0 &&
                         header->tp_net + std::size_t{header->tp_snaplen} <= m_frameBytes;
    const bool isReady = (status & TP_STATUS_CSUMNOTREADY) == 0;
    if (isWhole && isReady) return {frame() + header->tp_net, header->tp_snaplen};
    m_missed += Count(1);
  }
}

bool RingPort::send(std::span<const std::uint8_t> packet) {
  sockaddr_ll host{};
  host.sll_family = AF_PACKET;
  host.sll_protocol = htons(packet[0] >> 4U == 6 ? ETH_P_IPV6 : ETH_P_IP);
  host.sll_ifindex = m_description.interfaceIndex;
  host.sll_halen = static_cast<unsigned char>(m_description.hostAddress.size());
  std::copy(m_description.hostAddress.begin(), m_description.hostAddress.end(), host.sll_addr);
  return sendto(m_description.descriptor, packet.data(), packet.size(), MSG_DONTWAIT,
                reinterpret_cast<const sockaddr*>(&host), sizeof host) == static_cast<ssize_t>(packet.size());
}

std::optional<Count> RingPort::missed() {
  tpacket_stats ring{};
  socklen_t size = sizeof ring;
  // Reading sets them to zero.
  if (getsockopt(m_description.descriptor, SOL_PACKET, PACKET_STATISTICS, &ring, &size) != 0) return std::nullopt;
  m_missed += Count(ring.tp_drops);
  const auto hostDrops = readTransmitDrops(m_description.hostCounters, m_description.hostDevice);
  if (!hostDrops || !m_hostDropsBefore) return std::nullopt;
  return m_missed + Count(*hostDrops - *m_hostDropsBefore);
}

}  // namespace tcpscope::lab
