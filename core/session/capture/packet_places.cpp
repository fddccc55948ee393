#include "core/session/capture/packet_places.h"

#include "core/session/capture/compact_number.h"

namespace tcpscope {

void PacketPlaces::add(std::uint32_t connection, PacketPlace place) {
  if (m_isGivenUp) return;
  if (connection >= m_lists.size()) m_lists.resize(connection + std::size_t{1});
  List& list = m_lists[connection];
  const std::size_t before = list.bytes.capacity();
  const auto put = [&](std::uint8_t byte) { list.bytes.push_back(byte); };
  writeNumber(place.offset - list.last.offset, put);
  writeNumber(place.number - list.last.number, put);
  list.last = place;
  m_bytes += list.bytes.capacity() - before;
  if (residentBytes() > m_mostBytes) giveUp();
}

void PacketPlaces::giveUp() {
  m_isGivenUp = true;
  m_lists = std::vector<List>();
  m_bytes = 0;
}

PacketPlaces::Walk PacketPlaces::of(std::uint32_t connection) const {
  return Walk(connection < m_lists.size() ? std::span<const std::uint8_t>(m_lists[connection].bytes)
                                          : std::span<const std::uint8_t>());
}

bool PacketPlaces::Walk::next(PacketPlace& place) {
  if (m_rest.empty()) return false;
  m_last.offset += takeNumber(m_rest);
  m_last.number += takeNumber(m_rest);
  place = m_last;
  return true;
}

}  // namespace tcpscope
