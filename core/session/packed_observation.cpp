#include "core/session/packed_observation.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/prefetch.h"

namespace tcpscope {

namespace {

constexpr std::size_t kBlock = 32;

}  // namespace

void PackedObservation::pack(const SocketObservation& observation) {
  m_id = observation.id;
  m_takenAt = observation.takenAt;
  SocketObservation rest = observation;
  rest.id = {};
  rest.takenAt = {};
  Image image{};
  std::memcpy(image.data(), &rest, sizeof rest);
  Image kept;
  std::size_t count = 0;
  for (std::size_t block = 0; block < m_present.size(); ++block) {
    std::uint32_t present = 0;
    for (std::size_t bit = 0; bit < kBlock; ++bit) {
      const std::uint32_t word = image[block * kBlock + bit];
      // Written before it is known whether it stays: the next one takes its place if not.
      kept[count] = word;
      count += word != 0 ? 1 : 0;
      present |= (word != 0 ? 1U : 0U) << bit;
    }
    m_present[block] = present;
  }
  makeRoomFor(count);
  std::copy_n(kept.begin(), count, m_words.get());
}

void PackedObservation::makeRoomFor(std::size_t words) {
  // In steps, so that a counter that leaves zero does not move the whole record each time.
  constexpr std::size_t kStep = 4;
  const auto room = static_cast<std::uint32_t>((words + kStep - 1) / kStep * kStep);
  if (room == m_room) return;
  m_words = std::make_unique_for_overwrite<std::uint32_t[]>(room);
  m_room = room;
}

void PackedObservation::prefetch() const {
  tcpscope::prefetch(m_words.get(), m_room * sizeof(std::uint32_t));
}

SocketObservation PackedObservation::unpack() const {
  Image image{};
  const std::uint32_t* next = m_words.get();
  for (std::size_t block = 0; block < m_present.size(); ++block) {
    for (std::uint32_t rest = m_present[block]; rest != 0; rest &= rest - 1) {
      image[block * kBlock + static_cast<std::size_t>(std::countr_zero(rest))] = *next++;
    }
  }
  SocketObservation observation;
  std::memcpy(static_cast<void*>(&observation), image.data(), sizeof observation);
  observation.id = m_id;
  observation.takenAt = m_takenAt;
  return observation;
}

}  // namespace tcpscope
