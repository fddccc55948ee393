#include "collectors/pcap/fragment_reassembly.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// How long fragments wait for each other; later, the same identification is another packet's (RFC 8200 §4.5).
constexpr std::chrono::seconds kLongestWait{60};
/// First fragments without any other, after which the capture is taken to hold none.
constexpr std::size_t kFirstsAlone = 16;
constexpr std::uint32_t kMostPacketBytes = 65'535;

}  // namespace

void FragmentReassembly::Packet::begin(const PacketSample& sample, const IpFragment& fragment) {
  *this = {};
  head = sample;
  head.options = {};
  identification = fragment.identification;
}

void FragmentReassembly::Packet::keepHead(const PacketSample& sample, const IpFragment& fragment) {
  head = sample;
  head.options = {};
  optionBytes = std::min(sample.options.size(), options.size());
  std::copy_n(sample.options.begin(), optionBytes, options.begin());
  headPayloadBytes = fragment.payloadBytes;
  hasHead = true;
}

void FragmentReassembly::Packet::add(const IpFragment& fragment) {
  ++fragments;
  const std::uint32_t end = fragment.offset + std::min(fragment.payloadBytes, kMostPacketBytes);
  // Only a last fragment may end between two units.
  const std::size_t behind = fragment.isLast ? (end + kUnitBytes - 1) / kUnitBytes : end / kUnitBytes;
  for (std::size_t unit = fragment.offset / kUnitBytes; unit < std::min(behind, kMostUnits); ++unit) units.set(unit);
  if (fragment.isLast) bytes = end;
}

bool FragmentReassembly::Packet::isComplete() const {
  return hasHead && bytes && *bytes >= headPayloadBytes && units.count() == (*bytes + kUnitBytes - 1) / kUnitBytes;
}

bool FragmentReassembly::Packet::isPartOf(const PacketSample& sample, const IpFragment& fragment) const {
  return identification == fragment.identification && head.source.address == sample.source.address &&
         head.destination.address == sample.destination.address && sample.time - head.time < kLongestWait;
}

FragmentReassembly::Packet& FragmentReassembly::packetOf(const PacketSample& sample, const IpFragment& fragment) {
  const auto found = std::find_if(m_packets.begin(), m_packets.end(),
                                  [&](const Packet& one) { return one.isPartOf(sample, fragment); });
  if (found != m_packets.end()) {
    // The same packet once more, as captures of several interfaces show it, or the identification used again.
    const bool isOther = found->isWhole || (found->hasHead && found->head.sequence != sample.sequence);
    if (fragment.offset == 0 && isOther) found->begin(sample, fragment);
    return *found;
  }
  if (m_packets.size() < kMostPackets) {
    m_packets.emplace_back().begin(sample, fragment);
    return m_packets.back();
  }
  Packet& oldest = m_packets[m_oldest];
  m_oldest = (m_oldest + 1) % kMostPackets;
  oldest.begin(sample, fragment);
  return oldest;
}

FragmentReassembly::Result FragmentReassembly::take(PacketSample& sample, const IpFragment& fragment) {
  const bool isFirst = fragment.offset == 0;
  if (!isFirst) m_hasOthers = true;
  if (!m_hasOthers && m_firsts++ >= kFirstsAlone) return Result::alone;
  Packet& packet = packetOf(sample, fragment);
  if (packet.isWhole) {
    ++m_reassembled;
    return Result::kept;
  }
  if (isFirst) packet.keepHead(sample, fragment);
  packet.isMarked = packet.isMarked || sample.ecn == EcnCodepoint::congestionExperienced;
  packet.add(fragment);
  if (!packet.isComplete()) return Result::kept;
  packet.isWhole = true;
  m_reassembled += packet.fragments - 1;
  PacketSample whole = packet.head;
  whole.options = std::span(packet.options).first(packet.optionBytes);
  whole.payloadBytes += *packet.bytes - packet.headPayloadBytes;
  // A mark on one of them is a mark on the packet (RFC 3168 §5.3).
  if (packet.isMarked) whole.ecn = EcnCodepoint::congestionExperienced;
  whole.isFirstFragment = false;
  whole.time = sample.time;
  whole.number = sample.number;
  whole.interface = sample.interface;
  sample = whole;
  return Result::whole;
}

}  // namespace tcpscope
