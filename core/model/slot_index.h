// Finds the slot of a table by the key of its entry: a hash index of four bytes a slot, at most three quarters full.
//
// The index holds slots only. Keys stay in the table: each call takes a function that reads the key of a slot. Open
// addressing with linear probing; a removal leaves no trace.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace tcpscope {

template <class Key, class Hash = std::hash<Key>>
class SlotIndex {
public:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = ~Slot{0};

  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] std::size_t memoryBytes() const { return m_slots.capacity() * sizeof(Slot); }

  /// `keyAt(slot)`: the key in a slot of the index. kNoSlot if no slot has the key.
  template <class KeyAt>
  [[nodiscard]] Slot find(const Key& key, KeyAt&& keyAt) const {
    return m_slots.empty() ? kNoSlot : m_slots[positionOf(key, keyAt)];
  }

  /// The key must not be in the index.
  template <class KeyAt>
  void insert(const Key& key, Slot slot, KeyAt&& keyAt) {
    if (m_slots.empty() || (m_size + 1) * 4 > m_slots.size() * 3) grow(keyAt);
    m_slots[positionOf(key, keyAt)] = slot;
    ++m_size;
  }

  /// The slot that was removed, while the table still holds its key; kNoSlot where there was none.
  template <class KeyAt>
  Slot erase(const Key& key, KeyAt&& keyAt) {
    if (m_slots.empty()) return kNoSlot;
    std::size_t gap = positionOf(key, keyAt);
    const Slot erased = m_slots[gap];
    if (erased == kNoSlot) return kNoSlot;
    // Slots that were pushed past the gap move back into it.
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t at = (gap + 1) & mask; m_slots[at] != kNoSlot; at = (at + 1) & mask) {
      if (((at - homeOf(keyAt(m_slots[at]))) & mask) >= ((at - gap) & mask)) {
        m_slots[gap] = m_slots[at];
        gap = at;
      }
    }
    m_slots[gap] = kNoSlot;
    --m_size;
    return erased;
  }

  // Ahead of find(): the first of its reads, and the slot that it is most likely to give.
  void prefetch(const Key& key) const {
    if (!m_slots.empty()) __builtin_prefetch(&m_slots[homeOf(key)]);
  }
  [[nodiscard]] Slot likelySlot(const Key& key) const { return m_slots.empty() ? kNoSlot : m_slots[homeOf(key)]; }

private:
  static constexpr unsigned kSmallestBits = 6;

  [[nodiscard]] std::size_t homeOf(const Key& key) const {
    // A hash may be the key itself, or the key multiplied by this very constant: without the shift its square would
    // throw sequences onto each other.
    std::uint64_t scattered = Hash()(key);
    scattered = (scattered ^ scattered >> 32) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(scattered >> (64 - m_bits));
  }
  /// Where the key is, or would go.
  template <class KeyAt>
  [[nodiscard]] std::size_t positionOf(const Key& key, KeyAt&& keyAt) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t position = homeOf(key);
    while (m_slots[position] != kNoSlot && keyAt(m_slots[position]) != key) position = (position + 1) & mask;
    return position;
  }
  template <class KeyAt>
  void grow(KeyAt&& keyAt) {
    m_bits = std::max(kSmallestBits, m_bits + 1);
    const std::vector<Slot> before = std::move(m_slots);
    m_slots.assign(std::size_t{1} << m_bits, kNoSlot);
    for (const Slot slot : before) {
      if (slot != kNoSlot) m_slots[positionOf(keyAt(slot), keyAt)] = slot;
    }
  }

  std::vector<Slot> m_slots;
  unsigned m_bits = 0;
  std::size_t m_size = 0;
};

}  // namespace tcpscope
