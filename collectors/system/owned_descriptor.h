// A descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace tcpscope {

class OwnedDescriptor {
public:
  OwnedDescriptor() = default;
  /// Takes it over; negative is none.
  explicit OwnedDescriptor(int descriptor) : m_descriptor(descriptor) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
  }
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { reset(); }

  [[nodiscard]] int get() const { return m_descriptor; }
  [[nodiscard]] explicit operator bool() const { return m_descriptor >= 0; }
  void reset() {
    if (m_descriptor >= 0) close(m_descriptor);
    m_descriptor = -1;
  }

private:
  int m_descriptor = -1;
};

/// A second name for the same open file, that no program started later inherits; none with errno where there is no
/// room.
OwnedDescriptor duplicate(int descriptor);

}  // namespace tcpscope
