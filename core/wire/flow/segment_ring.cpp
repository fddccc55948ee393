#include "core/wire/flow/segment_ring.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

std::size_t SegmentRing::indexAfter(StreamOffset offset) const {
  std::size_t low = 0;
  std::size_t high = m_size;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if ((*this)[middle].end() <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void SegmentRing::insert(const UnackedSegment& segment) {
  UnackedSegment rest = segment;
  while (rest.bytes > 0) {
    const std::size_t index = indexAfter(rest.begin);
    const bool isThere = index < m_size && (*this)[index].begin <= rest.begin;
    StreamOffset next = rest.end();
    if (index < m_size) next = std::min(next, isThere ? (*this)[index].end() : (*this)[index].begin);
    UnackedSegment part = rest;
    part.bytes = static_cast<std::uint32_t>(next - rest.begin);
    if (!isThere) insertAt(index, part);
    rest.cutBefore(next);
  }
}

void SegmentRing::splitAt(StreamOffset offset) {
  const std::size_t index = indexAfter(offset);
  if (index == m_size || (*this)[index].begin >= offset) return;
  UnackedSegment above = (*this)[index];
  (*this)[index].bytes = static_cast<std::uint32_t>(offset - above.begin);
  above.cutBefore(offset);
  insertAt(index + 1, above);
}

void SegmentRing::release() {
  // Not `= {}`, which empties a vector and keeps its memory.
  m_slots = std::vector<UnackedSegment>();
  m_first = 0;
  m_size = 0;
}

void SegmentRing::insertAt(std::size_t index, const UnackedSegment& segment) {
  const std::uint64_t forgottenBefore = m_forgotten;
  pushBack(segment);
  if (m_forgotten != forgottenBefore && index > 0) --index;
  for (std::size_t at = m_size - 1; at > index; --at) std::swap((*this)[at], (*this)[at - 1]);
}

void SegmentRing::grow() {
  if (m_size == kMaxSegments) {
    popFront();
    ++m_forgotten;
    return;
  }
  constexpr std::size_t kFirstSlots = 8;
  std::vector<UnackedSegment> larger(std::max(kFirstSlots, m_slots.size() * 2));
  for (std::size_t index = 0; index < m_size; ++index) larger[index] = (*this)[index];
  m_slots = std::move(larger);
  m_first = 0;
}

}  // namespace tcpscope
