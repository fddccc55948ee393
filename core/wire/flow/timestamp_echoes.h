// RTTs from the timestamps of RFC 7323, which work wherever the capture point sits: a value that passed in one
// direction comes back as the echo of the other.
//
// A single echo covers the way from the capture point to one end and back. When the packet that carried it is echoed
// in its turn, the two halves are the whole RTT. That end's own waiting is part of it (a program that had
// nothing to send), so that the minimum is the path's. The clock's tick (1 to 10 ms) is how late a value may be
// read: only its first packet and its first echo count. At most 16 values wait for their echo.
#pragma once

#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

/// What an echo has shown.
struct TimestampEcho {
  /// From the capture point to the end that echoed, and back.
  Nanoseconds half{0};
  /// The same plus the half that the echoed packet itself had closed, if it had.
  std::optional<Nanoseconds> whole;
};

/// The values that one end sent and the other has not echoed yet.
class TimestampEchoes {
public:
  /// `half`: what the packet's own echo has shown, if anything.
  void sent(std::uint32_t value, WallTime time, const std::optional<Nanoseconds>& half);
  [[nodiscard]] std::optional<TimestampEcho> echoed(std::uint32_t echo, WallTime time);
  /// How long ago the value was sent, where it waits for its echo.
  [[nodiscard]] std::optional<Nanoseconds> age(std::uint32_t value, WallTime time) const;
  /// How long ago the oldest value was sent that waits for its echo.
  [[nodiscard]] std::optional<Nanoseconds> oldestAge(WallTime time) const {
    return m_waiting.empty() ? std::nullopt : std::optional(time - m_waiting.front().sentAt);
  }
  /// Gives the memory back: nothing more is awaited.
  void release() { m_waiting = std::vector<Waiting>(); }
  /// Memory outside of the object itself.
  [[nodiscard]] std::size_t residentBytes() const { return m_waiting.capacity() * sizeof(Waiting); }

private:
  struct Waiting {
    WallTime sentAt;
    std::optional<Nanoseconds> half;
    std::uint32_t value = 0;
  };
  [[nodiscard]] bool hasRoom(WallTime time);

  std::vector<Waiting> m_waiting;
  Nanoseconds m_smallestHalf{0};
  std::uint32_t m_newest = 0;
  std::uint32_t m_lastEcho = 0;
  bool m_hasNewest = false;
  bool m_hasEcho = false;
};

}  // namespace tcpscope
