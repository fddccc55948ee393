// What a router answers to a packet that does not fit the next link: ICMP "fragmentation needed" (RFC 792, RFC 1191) or
// ICMPv6 "packet too big" (RFC 4443, RFC 8201).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/units.h"

namespace tcpscope::lab {

/// The whole IP packet, from routerAddress() to the packet's source. Nothing where no answer may be sent: bytes that
/// are no IP packet, ICMP errors, later fragments. An IPv4 packet that allows fragments is answered too: this router
/// never makes any.
std::optional<std::vector<std::uint8_t>> packetTooBigMessage(std::span<const std::uint8_t> packet, Bytes mtu);

}  // namespace tcpscope::lab
