#include "core/session/packed_observation.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/prefetch.h"

namespace tcpscope {

namespace {

constexpr std::size_t kBlock = 32;

std::uint32_t roomFor(std::size_t words) {
  // In steps, so that a counter that leaves zero does not move the whole record each time.
  constexpr std::size_t kStep = 4;
  return static_cast<std::uint32_t>((words + kStep - 1) / kStep * kStep);
}

/// Where an optional member of `observation` holds nothing lies an earlier value: zeros take no space.
template <class T>
void clearAbsent(SocketObservation& observation, std::optional<T> SocketObservation::*member) {
  std::optional<T>& optional = observation.*member;
  if (!optional) std::memset(static_cast<void*>(&optional), 0, sizeof optional);
}

}  // namespace

PackedObservation::Image PackedObservation::imageOf(const SocketObservation& observation) {
  // With what lies between its members: a copy of each would leave there what happens to lie in this function's memory.
  SocketObservation rest;
  std::memcpy(static_cast<void*>(&rest), &observation, sizeof rest);
  rest.id = {};
  rest.takenAt = {};
  clearAbsent(rest, &SocketObservation::cgroupId);
  clearAbsent(rest, &SocketObservation::userTimeout);
  clearAbsent(rest, &SocketObservation::programWaits);
  clearAbsent(rest, &SocketObservation::timer);
  clearAbsent(rest, &SocketObservation::memory);
  clearAbsent(rest, &SocketObservation::bbr);
  clearAbsent(rest, &SocketObservation::unchangedUntil);
  Image image{};
  std::memcpy(image.data(), &rest, sizeof rest);
  return image;
}

std::size_t PackedObservation::bytesFor(const SocketObservation& observation) {
  const Image image = imageOf(observation);
  const auto words = static_cast<std::size_t>(image.end() - image.begin() - std::count(image.begin(), image.end(), 0U));
  return roomFor(words) * sizeof(std::uint32_t);
}

void PackedObservation::pack(const SocketObservation& observation) {
  m_id = observation.id;
  m_takenAt = observation.takenAt;
  const Image image = imageOf(observation);
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
  const std::uint32_t room = roomFor(words);
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
