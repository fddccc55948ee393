#include "core/wire/flow/early_acknowledgments.h"

#include <algorithm>

namespace tcpscope {

void EarlyAcknowledgments::hold(const PacketSample& sample, const Place& place) {
  Packet& packet = m_packets.emplace_back();
  static_cast<Place&>(packet) = place;
  packet.sample = sample;
  packet.sample.options = sample.options.first(std::min(sample.options.size(), packet.options.size()));
  std::copy(packet.sample.options.begin(), packet.sample.options.end(), packet.options.begin());
}

bool EarlyAcknowledgments::holdsOf(std::uint32_t connection, std::uint8_t side) const {
  return oldestOf(connection, side) != nullptr;
}

const EarlyAcknowledgments::Packet* EarlyAcknowledgments::oldestOf(std::uint32_t connection, std::uint8_t side) const {
  for (const Packet& packet : m_packets) {
    if (packet.connection == connection && packet.side == side) return &packet;
  }
  return nullptr;
}

EarlyAcknowledgments::Packet EarlyAcknowledgments::releaseOldestOf(std::uint32_t connection, std::uint8_t side) {
  return release(static_cast<std::size_t>(oldestOf(connection, side) - m_packets.data()));
}

std::optional<EarlyAcknowledgments::Packet> EarlyAcknowledgments::releaseOverdue(WallTime now) {
  if (m_packets.empty()) return std::nullopt;
  const bool isOverdue = now - m_packets.front().sample.time > kLongestWait;
  return isOverdue || m_packets.size() >= kMostPackets ? std::optional(release(0)) : std::nullopt;
}

std::optional<EarlyAcknowledgments::Packet> EarlyAcknowledgments::releaseOldest() {
  return m_packets.empty() ? std::nullopt : std::optional(release(0));
}

EarlyAcknowledgments::Packet EarlyAcknowledgments::release(std::size_t index) {
  const Packet packet = m_packets[index];
  m_packets.erase(m_packets.begin() + static_cast<std::ptrdiff_t>(index));
  return packet;
}

}  // namespace tcpscope
