#include "collectors/pcap/fragment_assembly.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// How long pieces wait for each other; later, the same identification is another packet's (RFC 8200 §4.5).
constexpr std::chrono::seconds kLongestWait{60};
/// First fragments without any other, after which the capture is taken to hold none.
constexpr std::size_t kFirstsAlone = 16;
constexpr std::uint32_t kMostPacketBytes = 65'535;

}  // namespace

void FragmentAssembly::Packet::begin(const PacketSample& sample, const IpFragment& fragment) {
  head = sample;
  head.options = {};
  identification = fragment.identification;
  headPayloadBytes = 0;
  units.reset();
  bytes.reset();
  fragments = 0;
  hasHead = false;
  isWhole = false;
}

void FragmentAssembly::Packet::keepHead(const PacketSample& sample, const IpFragment& fragment) {
  const EcnCodepoint ecn = head.ecn == EcnCodepoint::congestionExperienced ? head.ecn : sample.ecn;
  head = sample;
  head.ecn = ecn;
  head.options = {};
  optionBytes = std::min(sample.options.size(), options.size());
  std::copy_n(sample.options.begin(), optionBytes, options.begin());
  headPayloadBytes = fragment.payloadBytes;
  hasHead = true;
}

void FragmentAssembly::Packet::add(const IpFragment& fragment) {
  ++fragments;
  const std::uint32_t end = fragment.offset + std::min(fragment.payloadBytes, kMostPacketBytes);
  // Only a last fragment may end between two units.
  const std::size_t behind = fragment.isLast ? (end + kUnitBytes - 1) / kUnitBytes : end / kUnitBytes;
  for (std::size_t unit = fragment.offset / kUnitBytes; unit < std::min(behind, kMostUnits); ++unit) units.set(unit);
  if (fragment.isLast) bytes = end;
}

bool FragmentAssembly::Packet::isComplete() const {
  return hasHead && bytes && *bytes >= headPayloadBytes && units.count() == (*bytes + kUnitBytes - 1) / kUnitBytes;
}

bool FragmentAssembly::Packet::isPartOf(const PacketSample& sample, const IpFragment& fragment) const {
  return identification == fragment.identification && head.source.address == sample.source.address &&
         head.destination.address == sample.destination.address && sample.time - head.time < kLongestWait;
}

FragmentAssembly::Packet& FragmentAssembly::packetOf(const PacketSample& sample, const IpFragment& fragment) {
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

FragmentAssembly::Result FragmentAssembly::take(PacketSample& sample, const IpFragment& fragment) {
  const bool isFirst = fragment.offset == 0;
  if (!isFirst) m_hasOthers = true;
  if (!m_hasOthers && m_firsts++ >= kFirstsAlone) return Result::alone;
  Packet& packet = packetOf(sample, fragment);
  if (packet.isWhole) {
    ++m_joined;
    return Result::kept;
  }
  if (isFirst) packet.keepHead(sample, fragment);
  // A mark on one of them is a mark on the packet (RFC 3168 §5.3).
  if (sample.ecn == EcnCodepoint::congestionExperienced) packet.head.ecn = sample.ecn;
  packet.add(fragment);
  if (!packet.isComplete()) return Result::kept;
  packet.isWhole = true;
  m_joined += packet.fragments - 1;
  PacketSample whole = packet.head;
  whole.options = std::span(packet.options).first(packet.optionBytes);
  whole.payloadBytes += *packet.bytes - packet.headPayloadBytes;
  whole.isFirstFragment = false;
  whole.time = sample.time;
  whole.number = sample.number;
  whole.interface = sample.interface;
  sample = whole;
  return Result::whole;
}

}  // namespace tcpscope
