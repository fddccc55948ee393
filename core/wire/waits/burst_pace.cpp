#include "core/wire/waits/burst_pace.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

namespace {

/// Bursts of a millisecond each lie further apart, below 2 Gbit/s also those of the largest segments (64 KiB).
constexpr Nanoseconds kWithinBurst = std::chrono::microseconds(250);
/// Two segments in a tenth of a second are 230 kbit/s: hardly anything is paced to less.
constexpr Nanoseconds kLongestInterval = std::chrono::milliseconds(100);

}  // namespace

void BurstPace::take(const Sent& sent) {
  const bool continues = m_bytes > 0 && sent.time - m_last < kWithinBurst;
  if (!continues) {
    const bool isWhole = m_bytes > 0 && m_isCounted && !sent.isRepairing;
    if (isWhole) judge(sent.time - m_start, sent.isUnprompted);
    if (!isWhole) m_group = {};
    m_start = sent.time;
    m_bytes = 0;
    m_isCounted = true;
  }
  m_last = sent.time;
  m_bytes += sent.bytes;
  m_endsShort = sent.endsShort;
  m_isCounted = m_isCounted && !sent.isRepairing;
}

void BurstPace::judge(Nanoseconds interval, bool isUnprompted) {
  if (interval <= Nanoseconds::zero() || interval > kLongestInterval) {
    m_group = {};
    return;
  }
  ++m_bursts;
  if (isUnprompted) ++m_unprompted;
  // Steps of a size that does not depend on how far away a burst is lead to the middle one of all.
  constexpr double kSmallestStep = 0.01;
  const double rate = BitsPerSecond::from(Bytes(m_bytes), interval).value();
  const double step = std::max(kSmallestStep, 1.0 / m_bursts);
  m_rate = m_bursts == 1 ? rate : m_rate * std::clamp(rate / m_rate, 1.0 / (1.0 + step), 1.0 + step);
  addToGroup(interval);
}

void BurstPace::addToGroup(Nanoseconds interval) {
  constexpr std::uint8_t kInARow = 8;
  constexpr double kAlike = 0.1;
  m_group.bytes += m_bytes;
  m_group.span += interval;
  m_group.hasShort = m_group.hasShort || m_endsShort;
  if (++m_group.count < kInARow) return;
  ++m_groups;
  const double rate = BitsPerSecond::from(Bytes(m_group.bytes), m_group.span).value();
  if (!m_group.hasShort && std::abs(rate - m_rate) < kAlike * m_rate) ++m_steadyGroups;
  m_group = {};
}

}  // namespace tcpscope
