#include "core/session/packed_observation.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "core/base/prefetch.h"

namespace tcpscope {

namespace {

constexpr std::size_t kBlock = 32;

/// Less is not given back: a record that grows and shrinks would move each time.
constexpr std::uint32_t kMostSpareWords = 16;

std::uint32_t roomFor(std::size_t words) {
  // In steps, so that a counter that leaves zero does not move the whole record each time.
  constexpr std::size_t kStep = 4;
  return static_cast<std::uint32_t>((words + kStep - 1) / kStep * kStep);
}

constexpr std::array<std::uint32_t, kBlock> kBits = [] {
  std::array<std::uint32_t, kBlock> bits{};
  for (std::size_t bit = 0; bit < kBlock; ++bit) bits[bit] = std::uint32_t{1} << bit;
  return bits;
}();

/// A bit for each word: is it other than zero? Without branches and with constants only, so that the compiler takes
/// several words at once.
std::uint32_t presentIn(std::span<const std::uint32_t, kBlock> words) {
  std::uint32_t present = 0;
  for (std::size_t bit = 0; bit < kBlock; ++bit) {
    const std::uint32_t all = 0U - static_cast<std::uint32_t>(words[bit] != 0);
    present |= all & kBits[bit];
  }
  return present;
}

/// Clears a member in the image of an observation.
template <class Member>
void clear(std::byte* image, const SocketObservation& observation, const Member& member) {
  const auto offset = reinterpret_cast<const std::byte*>(&member) - reinterpret_cast<const std::byte*>(&observation);
  std::memset(image + offset, 0, sizeof member);
}

}  // namespace

PackedObservation::Image PackedObservation::imageOf(const SocketObservation& observation) {
  // With what lies between its members: a copy of each would leave there what happens to lie in this function's memory.
  Image image;
  std::memcpy(image.data(), &observation, sizeof observation);
  auto* const bytes = reinterpret_cast<std::byte*>(image.data());
  std::memset(bytes + sizeof observation, 0, sizeof image - sizeof observation);
  // Those are kept beside it.
  clear(bytes, observation, observation.id);
  clear(bytes, observation, observation.takenAt);
  // Where an optional member holds nothing lies an earlier value: zeros take no space.
  const auto clearAbsent = [&](const auto&... members) {
    ((members ? void() : clear(bytes, observation, members)), ...);
  };
  clearAbsent(observation.cgroupId, observation.userTimeout, observation.programWaits, observation.timer,
              observation.memory, observation.bbr, observation.unchangedUntil);
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
  for (std::size_t block = 0; block < m_present.size(); ++block) {
    m_present[block] = presentIn(std::span(image).subspan(block * kBlock).first<kBlock>());
  }
  Image kept;
  std::size_t count = 0;
  for (std::size_t block = 0; block < m_present.size(); ++block) {
    for (std::uint32_t rest = m_present[block]; rest != 0; rest &= rest - 1) {
      kept[count++] = image[block * kBlock + static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
  makeRoomFor(count);
  std::copy_n(kept.begin(), count, m_words.get());
}

void PackedObservation::makeRoomFor(std::size_t words) {
  const std::uint32_t room = roomFor(words);
  if (m_room >= room && m_room - room <= kMostSpareWords) return;
  m_words = std::make_unique_for_overwrite<std::uint32_t[]>(room);
  m_room = room;
}

void PackedObservation::prefetch() const {
  tcpscope::prefetch(m_words.get(), m_room * sizeof(std::uint32_t));
}

SocketObservation PackedObservation::unpack() const {
  // Right into its place: a copy of what was just written in other widths stalls the processor.
  SocketObservation observation;
  std::memset(static_cast<void*>(&observation), 0, sizeof observation);
  auto* const bytes = reinterpret_cast<std::byte*>(&observation);
  const std::uint32_t* next = m_words.get();
  for (std::size_t block = 0; block < m_present.size(); ++block) {
    for (std::uint32_t rest = m_present[block]; rest != 0; rest &= rest - 1) {
      const std::size_t word = block * kBlock + static_cast<std::size_t>(std::countr_zero(rest));
      std::memcpy(bytes + word * sizeof *next, next, sizeof *next);
      ++next;
    }
  }
  observation.id = m_id;
  observation.takenAt = m_takenAt;
  return observation;
}

}  // namespace tcpscope
