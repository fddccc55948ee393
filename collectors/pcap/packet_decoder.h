// From a captured frame to the TCP segment inside of it, or the reason why there is none.
//
// A pure function of the frame: nothing is allocated, nothing is read outside of its bytes, whatever they are. The
// length of the payload is what the IP header says; where that says 0 (packets too large for it, which segmentation
// offload and jumbograms make), it is the rest of the frame on the wire. Options that the snap length cut are marked;
// the fixed header is good without them.
#pragma once

#include "collectors/pcap/captured_frame.h"
#include "core/base/expected.h"
#include "core/model/no_segment.h"
#include "core/model/packet_sample.h"

namespace tcpscope {

struct PacketDecoderSettings {
  /// Look into the tunnels that tunnel.h lists for the connections inside.
  bool insideTunnels = false;
};

/// The options of the sample lie in the frame's bytes and live as long as those. RFC 791, 8200, 2675, 9293.
Expected<PacketSample, NoSegment> decodePacket(const CapturedFrame& frame, PacketDecoderSettings settings = {});

/// The same for millions of packets: into a sample that is used again. Where there is a reason, it holds no packet.
std::optional<NoSegment> decodePacketInto(PacketSample& sample, const CapturedFrame& frame,
                                          PacketDecoderSettings settings = {});

}  // namespace tcpscope
