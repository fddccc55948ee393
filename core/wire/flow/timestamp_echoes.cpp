#include "core/wire/flow/timestamp_echoes.h"

#include <algorithm>

#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMaxWaiting = 16;
/// Room for what a short connection has, in one piece.
constexpr std::size_t kFirstWaiting = 4;
/// No echo is expected after this time.
constexpr Nanoseconds kLongestWait = std::chrono::seconds(10);

}  // namespace

void TimestampEchoes::sent(std::uint32_t value, WallTime time, const std::optional<Nanoseconds>& half) {
  if (m_hasNewest && !isBefore(m_newest, value)) return;
  m_newest = value;
  m_hasNewest = true;
  // Values are spread over the RTT; one that can close the whole of it is always worth its place.
  if (!half && !m_waiting.empty() && time - m_waiting.back().sentAt < m_smallestHalf / 8) return;
  if (!hasRoom(time)) return;
  if (m_waiting.empty()) m_waiting.reserve(kFirstWaiting);
  m_waiting.push_back({time, half, value});
}

std::optional<TimestampEcho> TimestampEchoes::echoed(std::uint32_t echo, WallTime time) {
  if (m_hasEcho && echo == m_lastEcho) return std::nullopt;
  m_lastEcho = echo;
  m_hasEcho = true;
  auto first = m_waiting.begin();
  while (first != m_waiting.end() && isBefore(first->value, echo)) ++first;
  std::optional<TimestampEcho> seen;
  if (first != m_waiting.end() && first->value == echo && time >= first->sentAt) {
    const Nanoseconds half = time - first->sentAt;
    seen = TimestampEcho{half, std::nullopt};
    if (first->half) seen->whole = half + *first->half;
    m_smallestHalf = m_smallestHalf == Nanoseconds::zero() ? half : std::min(m_smallestHalf, half);
    ++first;
  }
  m_waiting.erase(m_waiting.begin(), first);
  return seen;
}

std::optional<Nanoseconds> TimestampEchoes::age(std::uint32_t value, WallTime time) const {
  const auto waiting =
      std::find_if(m_waiting.begin(), m_waiting.end(), [value](const Waiting& one) { return one.value == value; });
  return waiting == m_waiting.end() ? std::nullopt : std::optional(time - waiting->sentAt);
}

bool TimestampEchoes::hasRoom(WallTime time) {
  if (m_waiting.size() < kMaxWaiting) return true;
  if (time - m_waiting.front().sentAt < kLongestWait) return false;
  m_waiting.clear();
  return true;
}

}  // namespace tcpscope
