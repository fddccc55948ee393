// Decodes the kernel's messages about interfaces, queue disciplines and routes (include/uapi/linux/rtnetlink.h,
// if_link.h): from bytes to values, driven by the lengths that were received.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/units.h"
#include "core/base/untrusted_text.h"
#include "core/model/endpoint.h"

namespace tcpscope {

/// RTM_NEWLINK
struct LinkMessage {
  std::int32_t index = 0;
  UntrustedText name;
  /// Switched on by the administrator (IFF_UP).
  bool isUp = false;
  /// "veth"; empty for an interface that is of no kind, as an adapter.
  UntrustedText kind;
  std::optional<std::uint32_t> transmitQueueLength;
  std::optional<Bytes> mtu;
  /// Index of the interface that its packets leave by; 0 for none.
  std::int32_t lowerIndex = 0;
};

/// RTM_NEWQDISC
struct QueueDisciplineMessage {
  std::int32_t interfaceIndex = 0;
  /// Of itself and of the class it hangs at: TC_H_ROOT for what an interface sends through.
  std::uint32_t handle = 0;
  std::uint32_t parent = 0;
  UntrustedText kind;
  std::uint64_t drops = 0;
  std::uint64_t requeues = 0;
  Bytes backlog{0};
};

/// RTM_NEWROUTE, of IPv4 and IPv6
struct RouteMessage {
  IpAddress destination;
  std::uint8_t prefixBits = 0;
  /// To a neighbour or a gateway: not an address of this host, and not one that is refused.
  bool isUnicast = false;
  /// What it sets of TCP, as `ip route` writes it: "initcwnd 3".
  std::vector<UntrustedText> settings;
};

/// Nothing for bytes that are no such message, or lack what names it. `payload` is without the netlink header.
std::optional<LinkMessage> decodeLink(std::span<const std::byte> payload);
std::optional<RouteMessage> decodeRoute(std::span<const std::byte> payload);
std::optional<QueueDisciplineMessage> decodeQueueDiscipline(std::span<const std::byte> payload);

}  // namespace tcpscope
