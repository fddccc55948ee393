#include "collectors/pcap/appended_copy.h"

#include <algorithm>

namespace tcpscope {

AppendedCopy::Print AppendedCopy::printOf(const CapturedFrame& frame) {
  constexpr std::size_t kHeaders = 128;
  constexpr std::uint64_t kFactor = 0xD6E8FEB86659FD93ULL;
  std::uint64_t hash = (std::uint64_t{frame.wireBytes} << 16 | static_cast<std::uint16_t>(frame.linkType)) * kFactor;
  for (const std::byte byte : frame.bytes.first(std::min(kHeaders, frame.bytes.size()))) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * kFactor;
    hash ^= hash >> 32;
  }
  return {*frame.time, hash};
}

void AppendedCopy::keep(const CapturedFrame& frame) {
  if (m_kept < m_first.size() && m_kept == m_originals) m_first[m_kept++] = printOf(frame);
  ++m_originals;
  m_latest = std::max(m_latest, *frame.time);
}

bool AppendedCopy::takeRepeated(const CapturedFrame& frame) {
  if (*m_repeated < m_kept) {
    if (printOf(frame) != m_first[*m_repeated]) return false;
  } else if (*m_repeated >= m_originals || *frame.time > m_latest) {
    return false;
  }
  ++*m_repeated;
  return true;
}

bool AppendedCopy::isRepeated(const CapturedFrame& frame) {
  if (!frame.time) return m_repeated.has_value();
  if (m_repeated) {
    if (takeRepeated(frame)) return true;
    m_repeated.reset();
  }
  if (*frame.time < m_latest && *frame.time == m_first[0].time && printOf(frame) == m_first[0]) [[unlikely]] {
    m_repeated = 1;
    return true;
  }
  keep(frame);
  return false;
}

}  // namespace tcpscope
