#include "core/wire/flow/sequence_ranges.h"

#include <algorithm>

namespace tcpscope {

std::uint64_t SequenceRanges::add(SequenceRange range) {
  if (range.isEmpty()) return 0;
  // All that touch the new range become one with it.
  const auto first = std::lower_bound(m_ranges.begin(), m_ranges.end(), range.begin,
                                      [](const SequenceRange& one, StreamOffset begin) { return one.end < begin; });
  auto last = first;
  std::uint64_t hadBytes = 0;
  for (; last != m_ranges.end() && last->begin <= range.end; ++last) {
    hadBytes += last->bytes();
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
  }
  const std::uint64_t added = range.bytes() - hadBytes;
  m_bytes += added;
  if (first != last) {
    *first = range;
    m_ranges.erase(first + 1, last);
    return added;
  }
  m_ranges.insert(first, range);
  if (m_ranges.size() > kMaxRanges) {
    m_bytes -= m_ranges.front().bytes();
    m_ranges.erase(m_ranges.begin());
    ++m_forgotten;
  }
  return added;
}

void SequenceRanges::removeBelow(StreamOffset offset) {
  auto keep = m_ranges.begin();
  for (; keep != m_ranges.end() && keep->end <= offset; ++keep) m_bytes -= keep->bytes();
  m_ranges.erase(m_ranges.begin(), keep);
  if (m_ranges.empty() || m_ranges.front().begin >= offset) return;
  m_bytes -= offset - m_ranges.front().begin;
  m_ranges.front().begin = offset;
}

void SequenceRanges::clear() {
  m_ranges.clear();
  m_bytes = 0;
}

bool SequenceRanges::contains(SequenceRange range) const {
  const auto first = std::lower_bound(m_ranges.begin(), m_ranges.end(), range.end,
                                      [](const SequenceRange& one, StreamOffset end) { return one.end < end; });
  return first != m_ranges.end() && first->begin <= range.begin;
}

}  // namespace tcpscope
