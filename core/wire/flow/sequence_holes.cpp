#include "core/wire/flow/sequence_holes.h"

#include <algorithm>

namespace tcpscope {

namespace {

bool endsBefore(const SequenceHole& hole, StreamOffset begin) {
  return hole.range.end <= begin;
}

SequenceRange sharedPart(const SequenceRange& a, const SequenceRange& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace

void SequenceHoles::open(const SequenceHole& hole) {
  if (hole.range.isEmpty()) return;
  if (!m_holes.empty() && m_holes.back().range.end == hole.range.begin) {
    m_holes.back().range.end = hole.range.end;
    return;
  }
  m_holes.push_back(hole);
  bound();
}

const SequenceHole* SequenceHoles::find(SequenceRange range) const {
  const auto hole = std::lower_bound(m_holes.begin(), m_holes.end(), range.begin, endsBefore);
  return hole != m_holes.end() && hole->range.overlaps(range) ? &*hole : nullptr;
}

std::uint64_t SequenceHoles::fill(SequenceRange range) {
  auto hole = std::lower_bound(m_holes.begin(), m_holes.end(), range.begin, endsBefore);
  std::uint64_t filled = 0;
  while (hole != m_holes.end() && hole->range.begin < range.end) {
    filled += sharedPart(hole->range, range).bytes();
    SequenceHole above = *hole;
    above.range.begin = range.end;
    hole->range.end = std::min(hole->range.end, range.begin);
    if (hole->range.isEmpty() && above.range.isEmpty()) {
      hole = m_holes.erase(hole);
    } else if (hole->range.isEmpty()) {
      *hole++ = above;
    } else if (above.range.isEmpty()) {
      ++hole;
    } else {
      m_holes.insert(hole + 1, above);
      bound();
      break;
    }
  }
  return filled;
}

std::uint64_t SequenceHoles::bytesIn(SequenceRange range) const {
  std::uint64_t bytes = 0;
  for (const SequenceHole& hole : m_holes) bytes += sharedPart(hole.range, range).bytes();
  return bytes;
}

void SequenceHoles::bound() {
  if (m_holes.size() <= kMaxHoles) return;
  const auto keep = m_holes.begin() + static_cast<std::ptrdiff_t>(kMaxHoles / 2);
  for (auto hole = m_holes.begin(); hole != keep; ++hole) {
    // What lies before the first that was seen is no part of the capture's stream.
    if (hole->openedFrom) m_forgottenBytes += hole->range.bytes();
  }
  m_holes.erase(m_holes.begin(), keep);
}

}  // namespace tcpscope
