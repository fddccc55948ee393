// Any bytes as a frame of any link type: what comes out lies inside of them, and a shorter snap length takes away no
// more than what it cut.
//
// The input is a link type (its highest bit: look into tunnels), how much longer the frame was on the wire (2 bytes),
// and the frame.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "collectors/pcap/packet_decoder.h"
#include "core/base/invariant.h"

namespace {

using namespace tcpscope;

constexpr std::array kLinkTypes = {LinkType::ethernet,
                                   LinkType::rawIp,
                                   LinkType::linuxCooked,
                                   LinkType::linuxCooked2,
                                   LinkType::bsdLoopback,
                                   LinkType::openBsdLoopback,
                                   LinkType::ppp,
                                   LinkType::pppInHdlc,
                                   LinkType::pppoeSession,
                                   LinkType::ciscoHdlc,
                                   LinkType::ipv4,
                                   LinkType::pppWithDirection,
                                   static_cast<LinkType>(147),
                                   LinkType::ppi,
                                   LinkType::nflog};

constexpr std::size_t kLongestOptions = 40;
constexpr std::size_t kLongestIpLength = 65'535;

void checkBounds(const PacketSample& sample, const CapturedFrame& frame) {
  const std::span<const std::byte> options = sample.options;
  TCPSCOPE_INVARIANT(options.size() <= kLongestOptions);
  TCPSCOPE_INVARIANT(options.data() >= frame.bytes.data());
  TCPSCOPE_INVARIANT(options.data() + options.size() <= frame.bytes.data() + frame.bytes.size());
  TCPSCOPE_INVARIANT(sample.payloadBytes <= std::max<std::size_t>(kLongestIpLength, frame.wireBytes));
}

/// With the frame cut earlier. Only inside of tunnels a cut header is taken for something else.
void checkShorter(const Expected<PacketSample, NoSegment>& whole, CapturedFrame frame, PacketDecoderSettings settings) {
  for (std::size_t kept = 0; kept < frame.bytes.size(); kept += 1 + kept / 16) {
    const std::vector<std::byte> bytes(frame.bytes.begin(), frame.bytes.begin() + static_cast<std::ptrdiff_t>(kept));
    CapturedFrame shorter = frame;
    shorter.bytes = bytes;
    const auto sample = decodePacket(shorter, settings);
    if (!sample) {
      const NoSegment reason = sample.error();
      const bool mayBeInTunnel = settings.insideTunnels || (!whole && whole.error() == NoSegment::tunnel);
      TCPSCOPE_INVARIANT(reason == NoSegment::cut || mayBeInTunnel || (!whole && reason == whole.error()));
      continue;
    }
    TCPSCOPE_INVARIANT(whole);
    TCPSCOPE_INVARIANT(sample->source == whole->source && sample->destination == whole->destination);
    TCPSCOPE_INVARIANT(sample->sequence == whole->sequence && sample->payloadBytes == whole->payloadBytes);
    TCPSCOPE_INVARIANT(sample->options.size() <= whole->options.size());
    TCPSCOPE_INVARIANT(std::equal(sample->options.begin(), sample->options.end(), whole->options.begin()));
    checkBounds(*sample, shorter);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kHeader = 3;
  if (size < kHeader) return 0;
  CapturedFrame frame;
  frame.linkType = kLinkTypes[(bytes[0] & 0x7fU) % kLinkTypes.size()];
  frame.time = WallTime::fromNanoseconds(1);
  frame.bytes = std::as_bytes(std::span(bytes + kHeader, size - kHeader));
  frame.wireBytes = static_cast<std::uint32_t>(frame.bytes.size() + (bytes[1] * 256U + bytes[2]));
  const PacketDecoderSettings settings{(bytes[0] & 0x80U) != 0};
  const auto sample = decodePacket(frame, settings);
  if (sample) checkBounds(*sample, frame);
  checkShorter(sample, frame, settings);
  return 0;
}
