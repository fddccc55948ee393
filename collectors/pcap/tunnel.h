// Packets inside of IP packets: IP in IP, GRE (also in UDP), ERSPAN, VXLAN, Geneve, GTP-U.
//
// UDP tunnels are known by their port alone, and by what the first bits of their header must be.
#pragma once

#include <optional>

#include "collectors/pcap/frame_rest.h"

namespace tcpscope {

struct TunnelPayload {
  std::uint16_t etherType = 0;
  FrameRest rest;
};

/// `protocol` as in the IP header, `rest` what the IP header carries. Nothing where this is no tunnel, or its header
/// was cut. RFC 2003, 4213, 2784, 2890, 7348, 8086, 8926; 3GPP TS 29.281; draft-foschiano-erspan-03.
std::optional<TunnelPayload> openTunnel(std::uint8_t protocol, const FrameRest& rest);

}  // namespace tcpscope
