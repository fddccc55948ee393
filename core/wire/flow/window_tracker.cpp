#include "core/wire/flow/window_tracker.h"

#include <algorithm>

namespace tcpscope {

bool WindowTracker::take(const OwnAcknowledgment& own) {
  const bool isFirst = !m_hasWindow;
  const bool repeatsNumber = !isFirst && own.number == m_number;
  const bool repeatsWindow = !isFirst && own.window == m_window;
  if (own.window == 0 && !repeatsWindow) counts.zeroWindowEvents += Count(1);
  m_smallest = isFirst ? own.window : std::min(m_smallest, own.window);
  m_largest = isFirst ? own.window : std::max(m_largest, own.window);
  m_window = own.window;
  m_number = own.number;
  m_hasWindow = true;
  if (!own.isPure || !repeatsNumber) return false;
  if (!repeatsWindow) {
    counts.windowUpdates += Count(1);
    return false;
  }
  const bool isDuplicate = (own.isAwaited || own.hasSack) && !own.answersProbe;
  if (isDuplicate) counts.duplicateAcks += Count(1);
  return isDuplicate;
}

std::optional<std::uint16_t> WindowTracker::smallest() const {
  return m_hasWindow ? std::optional(m_smallest) : std::nullopt;
}

std::optional<std::uint16_t> WindowTracker::largest() const {
  return m_hasWindow ? std::optional(m_largest) : std::nullopt;
}

}  // namespace tcpscope
