// From a captured frame to the TCP segment inside of it, or the reason why there is none.
//
// Of a frame alone this is a pure function; reassembly of fragments needs the frames before, which PacketDecoder keeps.
// Nothing is read outside of a frame's bytes, whatever they are, and nothing is allocated but for fragments. The
// length of the payload is what the IP header says; where that says 0 (packets too large for it, which segmentation
// offload and jumbograms make), it is the rest of the frame on the wire. Options that the snap length cut are marked;
// the fixed header is good without them.
#pragma once

#include "collectors/pcap/appended_copy.h"
#include "collectors/pcap/captured_frame.h"
#include "collectors/pcap/fragment_reassembly.h"
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

/// The same for millions of packets of one capture, one after the other, with segments reassembled from IP fragments,
/// and without those that come again because the capture was appended to itself.
class PacketDecoder {
public:
  explicit PacketDecoder(PacketDecoderSettings settings = {}) : m_settings(settings) {}

  /// Into a sample that is used again; its options live until the next call, too. Where there is a reason, it holds no
  /// packet.
  std::optional<NoSegment> decode(PacketSample& sample, const CapturedFrame& frame);

  /// Of the fragments so far, those that are part of a whole segment now.
  [[nodiscard]] std::uint64_t reassembledFragments() const { return m_fragments.reassembled(); }

private:
  PacketDecoderSettings m_settings;
  AppendedCopy m_copy;
  FragmentReassembly m_fragments;
};

}  // namespace tcpscope
