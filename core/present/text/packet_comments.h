// What is said beside the packets of a connection where another program shows them: the verdict and the findings at its
// first packet, and at each packet that is more than new data or an acknowledgment, what it is.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/session/capture/captured_packets.h"

namespace tcpscope {

/// By position of the packet in its capture, from 0. Nothing for a connection without packets.
std::map<std::uint64_t, std::string> packetComments(const CapturedPackets& packets);

}  // namespace tcpscope
