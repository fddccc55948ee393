// First in, first out, in memory that is used again: a std::deque allocates and frees as it moves along, which at
// 100,000 packets a second is felt.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tcpscope::lab {

/// T is movable and has a default value. Grows by doubling, never shrinks.
template <class T>
class RingQueue {
public:
  [[nodiscard]] bool empty() const { return m_size == 0; }
  [[nodiscard]] std::size_t size() const { return m_size; }

  /// Front and back need an element.
  [[nodiscard]] T& front() { return at(0); }
  [[nodiscard]] const T& front() const { return m_slots[m_first]; }
  [[nodiscard]] const T& back() const { return m_slots[(m_first + m_size - 1) & (m_slots.size() - 1)]; }

  void push(T&& element) {
    if (m_size == m_slots.size()) grow();
    at(m_size++) = std::move(element);
  }
  T pop() {
    T element = std::exchange(at(0), T());
    m_first = (m_first + 1) & (m_slots.size() - 1);
    --m_size;
    return element;
  }

private:
  T& at(std::size_t index) { return m_slots[(m_first + index) & (m_slots.size() - 1)]; }
  void grow() {
    std::vector<T> larger(m_slots.empty() ? 16 : m_slots.size() * 2);
    for (std::size_t index = 0; index < m_size; ++index) larger[index] = std::move(at(index));
    m_slots = std::move(larger);
    m_first = 0;
  }

  /// A power of two of them.
  std::vector<T> m_slots;
  std::size_t m_first = 0;
  std::size_t m_size = 0;
};

}  // namespace tcpscope::lab
