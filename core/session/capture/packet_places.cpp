#include "core/session/capture/packet_places.h"

namespace tcpscope {

namespace {

constexpr unsigned kBitsAByte = 7;
constexpr std::uint8_t kMoreFollows = 0x80;

/// Seven bits a byte, the lowest first; all but the last have the highest bit set.
void append(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  while (number >= kMoreFollows) {
    bytes.push_back(static_cast<std::uint8_t>(number | kMoreFollows));
    number >>= kBitsAByte;
  }
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t takeNumber(std::span<const std::uint8_t>& bytes) {
  std::uint64_t number = 0;
  unsigned shift = 0;
  while (true) {
    const std::uint8_t byte = bytes.front();
    bytes = bytes.subspan(1);
    number |= std::uint64_t{static_cast<std::uint8_t>(byte & ~kMoreFollows)} << shift;
    if ((byte & kMoreFollows) == 0) return number;
    shift += kBitsAByte;
  }
}

}  // namespace

void PacketPlaces::add(std::uint32_t connection, PacketPlace place) {
  if (m_isGivenUp) return;
  if (connection >= m_lists.size()) m_lists.resize(connection + std::size_t{1});
  List& list = m_lists[connection];
  const std::size_t before = list.bytes.capacity();
  append(list.bytes, place.offset - list.last.offset);
  append(list.bytes, place.number - list.last.number);
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
