// Fragments in any order, of any size, overlapping as they like: what is called whole is no larger than an IP packet,
// and no more fragments are part of segments than came.
//
// The input is a list of fragments, 6 bytes each: identification (0 to 3), flags (1 last, 2 other sequence), offset and
// length (2 bytes each).
#include <cstdint>
#include <span>

#include "collectors/pcap/fragment_reassembly.h"
#include "core/base/invariant.h"

using namespace tcpscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kFragmentBytes = 6;
  constexpr std::uint32_t kTcpHeaderBytes = 20;
  constexpr std::uint32_t kLargestPayload = 65'535;
  FragmentReassembly assembly;
  std::uint64_t kept = 0;
  for (std::size_t at = 0; at + kFragmentBytes <= size; at += kFragmentBytes) {
    const std::uint8_t* one = bytes + at;
    IpFragment fragment;
    fragment.identification = one[0] & 3U;
    fragment.isLast = (one[1] & 1U) != 0;
    fragment.offset = (one[2] * 256U + one[3]) & 0xfff8U;
    fragment.payloadBytes = one[4] * 256U + one[5];
    // The decoder lets no first fragment pass whose TCP header is not whole.
    if (fragment.offset == 0 && (fragment.payloadBytes < kTcpHeaderBytes || fragment.isLast)) continue;
    PacketSample sample;
    sample.sequence = one[1] & 2U;
    sample.options = std::as_bytes(std::span(one, kFragmentBytes));
    if (fragment.offset == 0) sample.payloadBytes = fragment.payloadBytes - kTcpHeaderBytes;
    const FragmentReassembly::Result result = assembly.take(sample, fragment);
    if (result == FragmentReassembly::Result::kept) ++kept;
    if (result == FragmentReassembly::Result::whole) {
      TCPSCOPE_INVARIANT(sample.payloadBytes <= kLargestPayload + kTcpHeaderBytes);
      TCPSCOPE_INVARIANT(sample.options.size() == kFragmentBytes);
    }
    TCPSCOPE_INVARIANT(assembly.reassembled() <= kept);
  }
  return 0;
}
