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

FlowPacket FlowTable::take(const PacketSample& packet) {
  if (!locate(packet)) return {};
  const auto makeObject = [&] {
    place(m_lastIndex, std::make_unique<CaptureConnection>(packet.source, packet.destination, packet.time));
  };
  if (!m_connections[m_lastIndex]) makeObject();
  if (isForSuccessor(packet)) {
    if (!beginSuccessor()) return {};
    makeObject();
  }
  const JudgedPacket judged = judge(packet, nullptr);
  if (judged.isCopy()) return {judged, {}};
  return {judged, judged.connection->take(packet, judged.side)};
}

bool FlowTable::locate(const PacketSample& packet) {
  const FlowKey::End source = packed(packet.source);
  const FlowKey::End destination = packed(packet.destination);
  bool isFromFirst = m_lastKey.first == source && m_lastKey.second == destination;
  const bool isLast = m_hasLast && (isFromFirst || (m_lastKey.first == destination && m_lastKey.second == source));
  if (!isLast) [[unlikely]] {
    isFromFirst = source < destination;
    const FlowKey key = isFromFirst ? FlowKey{source, destination} : FlowKey{destination, source};
    const Slots::Slot slot = slotOf(key, isFromFirst);
    if (slot == Slots::kNoSlot) {
      ++m_refused;
      return false;
    }
    m_hasLast = true;
    m_lastKey = key;
    m_lastSlot = slot;
    m_lastIndex = m_newest[slot];
    m_lastFirstIsSide0 = m_firstIsSide0[m_lastIndex];
  }
  m_side = isFromFirst == m_lastFirstIsSide0 ? 0 : 1;
  return true;
}

bool FlowTable::beginSuccessor() {
  if (m_connections.size() >= m_maxConnections) {
    ++m_refused;
    return false;
  }
  const bool isFromFirst = m_lastFirstIsSide0 == (m_side == 0);
  begin(m_lastSlot, isFromFirst);
  m_lastIndex = m_newest[m_lastSlot];
  m_lastFirstIsSide0 = isFromFirst;
  m_side = 0;
  return true;
}

JudgedPacket FlowTable::judge(const PacketSample& packet, const EarlyAcknowledgments* waiting) {
  JudgedPacket judged{m_connections[m_lastIndex].get(), m_lastIndex, m_side};
  if (judged.connection->mayRepeat(packet, m_side)) [[unlikely]] {
    judged.likeness = likenessOf(packet);
    if (judged.isCopy()) return judged;
  }
  if (waiting != nullptr) {
    judged.isEarly = judged.connection->isEarly(packet, m_side) || waiting->holdsOf(m_lastIndex, m_side);
    if (judged.isEarly) [[unlikely]]
      return judged;
  }
  remember(packet);
  return judged;
}

/// A capture that shows packets twice does so from its beginning on, or from that of a connection that passes other
/// places: packets are remembered for a while from there on, so that the others do not pay for it.
PacketLikeness FlowTable::likenessOf(const PacketSample& packet) {
  CaptureConnection& connection = *m_connections[m_lastIndex];
  const CopyEvidence evidence = connection.copyEvidence(packet, m_side);
  const PacketLikeness likeness = m_packetsToWatch > 0 ? m_recent.compare(packet, m_lastIndex << 1 | m_side, evidence)
                                                       : connection.likenessToSent(packet, m_side, evidence);
  if (likeness == PacketLikeness::none) return likeness;
  m_packetsToWatch = kPacketsToWatch;
  connection.noteCopy(m_side, likeness);
  return likeness;
}

FlowTable::Slots::Slot FlowTable::slotOf(const FlowKey& key, bool isFromFirst) {
  const auto keyAt = [this](Slots::Slot slot) -> const FlowKey& { return m_keys[slot]; };
  const Slots::Slot found = m_slots.find(key, keyAt);
  if (found != Slots::kNoSlot) return found;
  if (m_connections.size() >= m_maxConnections) return Slots::kNoSlot;
  const auto slot = static_cast<Slots::Slot>(m_keys.size());
  m_slots.insert(key, slot, keyAt);
  m_keys.push_back(key);
  m_newest.push_back(0);
  begin(slot, isFromFirst);
  return slot;
}

void FlowTable::begin(Slots::Slot slot, bool isFromFirst) {
  m_newest[slot] = static_cast<std::uint32_t>(m_connections.size());
  m_connections.push_back(nullptr);
  m_firstIsSide0.push_back(isFromFirst);
}

}  // namespace tcpscope
