#include "core/wire/flow/flow_table.h"

#include <cstring>
#include <utility>

namespace tcpscope {

namespace {

FlowKey::End packed(const Endpoint& endpoint) {
  FlowKey::End end;
  const auto* bytes = endpoint.address.bytes().data();
  std::memcpy(&end.upper, bytes, sizeof end.upper);
  std::memcpy(&end.lower, bytes + sizeof end.upper, sizeof end.lower);
  end.port = std::uint64_t{endpoint.port} << 8 | static_cast<std::uint64_t>(endpoint.address.family());
  return end;
}

}  // namespace

FlowPacket FlowTable::take(const PacketSample& packet, const EarlyAcknowledgments* waiting) {
  const FlowKey::End source = packed(packet.source);
  const FlowKey::End destination = packed(packet.destination);
  bool sourceIsFirst = m_lastKey.first == source && m_lastKey.second == destination;
  const bool isLast =
      m_last != nullptr && (sourceIsFirst || (m_lastKey.first == destination && m_lastKey.second == source));
  if (!isLast) [[unlikely]] {
    sourceIsFirst = source < destination;
    const FlowKey key = sourceIsFirst ? FlowKey{source, destination} : FlowKey{destination, source};
    const Slots::Slot slot = slotOf(key, packet);
    if (slot == Slots::kNoSlot) {
      ++m_refused;
      return {};
    }
    m_lastKey = key;
    m_lastSlot = slot;
    m_lastIndex = m_newest[slot];
    m_last = m_connections[m_lastIndex].get();
    m_lastFirstIsSide0 = (m_last->endpoint(0) == packet.source) == sourceIsFirst;
  }
  auto side = static_cast<FlowSide>(sourceIsFirst == m_lastFirstIsSide0 ? 0 : 1);
  if (packet.flags.syn() && m_last->isForSuccessor(packet, side)) [[unlikely]] {
    if (m_connections.size() >= m_maxConnections) {
      ++m_refused;
      return {};
    }
    begin(m_lastSlot, packet);
    m_lastIndex = m_newest[m_lastSlot];
    m_last = m_connections[m_lastIndex].get();
    m_lastFirstIsSide0 = sourceIsFirst;
    side = 0;
  }
  if (m_last->mayRepeat(packet, side) && isCopy(packet, side)) [[unlikely]] {
    FlowPacket copy{m_last, m_lastIndex, side, {}};
    copy.role.isCopy = true;
    return copy;
  }
  if (waiting != nullptr && (m_last->isEarly(packet, side) || waiting->holdsOf(m_lastIndex, side))) [[unlikely]] {
    FlowPacket early{m_last, m_lastIndex, side, {}};
    early.role.isEarly = true;
    return early;
  }
  if (m_packetsToWatch > 0) [[unlikely]] {
    --m_packetsToWatch;
    m_recent.add(packet, m_lastIndex << 1 | side);
  }
  return {m_last, m_lastIndex, side, m_last->take(packet, side)};
}

/// A capture that shows packets twice does so from its beginning on, or from that of a connection that passes other
/// places: packets are remembered for a while from there on, so that the others do not pay for it.
bool FlowTable::isCopy(const PacketSample& packet, FlowSide side) {
  const CopyEvidence evidence = m_last->copyEvidence(packet, side);
  const PacketLikeness likeness = m_packetsToWatch > 0 ? m_recent.compare(packet, m_lastIndex << 1 | side, evidence)
                                                       : m_last->likenessToSent(packet, side, evidence);
  if (likeness == PacketLikeness::none) return false;
  m_packetsToWatch = kPacketsToWatch;
  m_last->noteCopy(side, likeness);
  return likeness == PacketLikeness::copy;
}

FlowTable::Slots::Slot FlowTable::slotOf(const FlowKey& key, const PacketSample& packet) {
  const auto keyAt = [this](Slots::Slot slot) -> const FlowKey& { return m_keys[slot]; };
  const Slots::Slot found = m_slots.find(key, keyAt);
  if (found != Slots::kNoSlot) return found;
  if (m_connections.size() >= m_maxConnections) return Slots::kNoSlot;
  const auto slot = static_cast<Slots::Slot>(m_keys.size());
  m_slots.insert(key, slot, keyAt);
  m_keys.push_back(key);
  m_newest.push_back(0);
  begin(slot, packet);
  return slot;
}

void FlowTable::begin(Slots::Slot slot, const PacketSample& packet) {
  m_newest[slot] = static_cast<std::uint32_t>(m_connections.size());
  m_connections.push_back(std::make_unique<CaptureConnection>(packet.source, packet.destination, packet.time));
}

CaptureConnection* FlowTable::find(const Endpoint& one, const Endpoint& other) const {
  const FlowKey::End a = packed(one);
  const FlowKey::End b = packed(other);
  const FlowKey key = a < b ? FlowKey{a, b} : FlowKey{b, a};
  const Slots::Slot slot = m_slots.find(key, [this](Slots::Slot at) -> const FlowKey& { return m_keys[at]; });
  return slot == Slots::kNoSlot ? nullptr : m_connections[m_newest[slot]].get();
}

}  // namespace tcpscope
