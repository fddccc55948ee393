#include "core/wire/loss/local_drops.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// A few MiB.
constexpr std::size_t kMostDrops = 16'384;
/// Each retransmission is compared with all of them.
constexpr std::size_t kMostOfOneDirection = 1'024;
/// What lies further behind was acknowledged, or its sequence numbers are used again.
constexpr StreamOffset kLargestWindow = StreamOffset{1} << 30U;

/// The part of `drop` before or behind what is retransmitted.
template <class Drop>
void appendRest(const Drop& drop, const SequenceRange& rest, std::vector<Drop>& kept) {
  if (rest.isEmpty()) return;
  Drop part = drop;
  part.sequence = onTheWire(rest.begin);
  part.sequenceLength = static_cast<std::uint32_t>(rest.bytes());
  kept.push_back(part);
}

std::uint64_t unionBytes(std::vector<SequenceRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const SequenceRange& a, const SequenceRange& b) { return a.begin < b.begin; });
  std::uint64_t bytes = 0;
  StreamOffset end = 0;
  for (const SequenceRange& range : ranges) {
    bytes += SequenceRange{std::max(range.begin, end), range.end}.bytes();
    end = std::max(end, range.end);
  }
  return bytes;
}

}  // namespace

void LocalDrops::add(const SegmentSeen& dropped, const DropReason& reason) {
  if (dropped.sequenceLength == 0) return;
  if (m_count >= kMostDrops) makeRoom(dropped.at);
  std::vector<Drop>& drops = m_drops[{dropped.source, dropped.destination}];
  if (drops.size() >= kMostOfOneDirection) {
    const auto half = drops.begin() + static_cast<std::ptrdiff_t>(drops.size() / 2);
    m_count -= drops.size() / 2;
    drops.erase(drops.begin(), half);
    missUntil(dropped.at);
  }
  drops.push_back({dropped.sequence, dropped.sequenceLength, dropped.at, dropped.networkNamespace, reason});
  ++m_count;
}

void LocalDrops::missUntil(Moment moment) {
  m_completeSince = std::max(m_completeSince, moment);
}

void LocalDrops::makeRoom(Moment now) {
  std::size_t kept = 0;
  for (auto direction = m_drops.begin(); direction != m_drops.end();) {
    std::erase_if(direction->second, [now](const Drop& drop) { return now - drop.at > kLongestRto; });
    kept += direction->second.size();
    direction = direction->second.empty() ? m_drops.erase(direction) : std::next(direction);
  }
  m_count = kept;
  if (kept <= kMostDrops / 2) return;
  m_drops.clear();
  m_count = 0;
  missUntil(now);
}

LocalDrops::Explanation LocalDrops::explain(const SegmentSeen& retransmitted, Moment begun) {
  Explanation found;
  found.match.completeFor = std::max(retransmitted.at - m_completeSince, Nanoseconds(0));
  const auto direction = m_drops.find({retransmitted.source, retransmitted.destination});
  if (direction == m_drops.end()) return found;
  const StreamOffset begin = firstOffset(retransmitted.sequence);
  const SequenceRange wanted{begin, begin + retransmitted.sequenceLength};
  std::vector<SequenceRange> overlaps;
  std::vector<Drop> kept;
  std::optional<Moment> last;
  for (const Drop& drop : direction->second) {
    const StreamOffset dropBegin = unwrap(drop.sequence, begin);
    const SequenceRange dropped{dropBegin, dropBegin + drop.sequenceLength};
    if (begun - drop.at > kLongestRto || dropped.end + kLargestWindow < begin) continue;
    if (drop.at >= begun || !dropped.overlaps(wanted)) {
      kept.push_back(drop);
      continue;
    }
    overlaps.push_back({std::max(dropped.begin, wanted.begin), std::min(dropped.end, wanted.end)});
    if (!last || drop.at >= *last) {
      last = drop.at;
      found.reason = drop.reason;
      found.match.networkNamespace = drop.networkNamespace;
    }
    appendRest(drop, {dropped.begin, std::min(dropped.end, wanted.begin)}, kept);
    appendRest(drop, {std::max(dropped.begin, wanted.end), dropped.end}, kept);
  }
  found.match.droppedLength = static_cast<std::uint32_t>(unionBytes(std::move(overlaps)));
  m_count = m_count - direction->second.size() + kept.size();
  if (kept.empty()) {
    m_drops.erase(direction);
  } else {
    direction->second = std::move(kept);
  }
  return found;
}

}  // namespace tcpscope
