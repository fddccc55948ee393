// How often a receive window shrank and grew again, as that of an application that reads slowly does. One that only
// shrinks approaches a smaller limit: what was advertised before a clamp is used up, and not offered again.
#pragma once

#include <cstdint>

namespace tcpscope {

class WindowShrinks {
public:
  /// From one sample to the next.
  void addStep(std::uint64_t before, std::uint64_t now) {
    if (now < before) ++m_sinceGrowth;
    if (now > before) confirm();
  }
  /// Of the time that follows.
  WindowShrinks& operator+=(const WindowShrinks& later) {
    if (later.m_hasGrown) {
      confirm();
      m_count += later.m_count;
    }
    m_sinceGrowth += later.m_sinceGrowth;
    return *this;
  }
  [[nodiscard]] std::uint32_t count() const { return m_count; }

private:
  void confirm() {
    m_count += m_sinceGrowth;
    m_sinceGrowth = 0;
    m_hasGrown = true;
  }

  std::uint32_t m_count = 0;
  std::uint32_t m_sinceGrowth = 0;
  bool m_hasGrown = false;
};

}  // namespace tcpscope
