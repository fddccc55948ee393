// A descriptor that is closed with its owner.
#pragma once

#include <utility>

namespace tcpscope {

class OwnedDescriptor {
public:
  OwnedDescriptor() = default;
  explicit OwnedDescriptor(int number) : m_number(number) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor();

  [[nodiscard]] int number() const { return m_number; }
  void close();

private:
  int m_number = -1;
};

/// A second name for the same open file, that no program started later inherits; -1 with errno where there is no room.
OwnedDescriptor duplicate(int descriptor);

}  // namespace tcpscope
