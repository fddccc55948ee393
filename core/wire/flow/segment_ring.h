// The segments of one direction that are in flight, in order of sequence: a ring that grows to what is in flight
// and is used again, so that a long transfer allocates nothing.
//
// Bounded: past the limit (no acknowledgment was sent or captured) the oldest is given up and
// counted. Segments may be split, because a retransmission rarely has the bounds of the original.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/moment.h"
#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

struct UnackedSegment {
  StreamOffset begin = 0;
  /// Of the last transmission.
  WallTime sentAt;
  std::uint32_t bytes = 0;
  /// Of the last transmission; 0 where it carried none.
  std::uint32_t timestamp = 0;
  /// Of the first packet of the last transmission among all of the direction, from 0; wraps.
  std::uint32_t position = 0;
  /// Payload of each packet that an adapter makes of it, where it is larger.
  std::uint16_t packetBytes = 1460;
  /// Sent more than once, or fills a gap late: its acknowledgment gives no RTT sample (Karn).
  bool isAmbiguous = false;
  /// Seen more than once.
  bool isRetransmitted = false;

  [[nodiscard]] StreamOffset end() const { return begin + bytes; }
  /// Of the packet that begins at this byte, or nearest to it.
  [[nodiscard]] std::uint32_t positionAt(StreamOffset offset) const {
    const std::uint64_t last = bytes == 0 ? 0 : (bytes - 1U) / packetBytes;
    return position + static_cast<std::uint32_t>(std::min((offset - begin + packetBytes / 2U) / packetBytes, last));
  }
  void cutBefore(StreamOffset offset) {
    position = positionAt(offset);
    bytes = static_cast<std::uint32_t>(end() - offset);
    begin = offset;
  }
};

class SegmentRing {
public:
  static constexpr std::size_t kMaxSegments = std::size_t{1} << 18;

  [[nodiscard]] bool isEmpty() const { return m_size == 0; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] UnackedSegment& operator[](std::size_t index) { return m_slots[slot(index)]; }
  [[nodiscard]] const UnackedSegment& operator[](std::size_t index) const { return m_slots[slot(index)]; }
  [[nodiscard]] UnackedSegment& front() { return (*this)[0]; }
  [[nodiscard]] std::uint64_t forgotten() const { return m_forgotten; }
  [[nodiscard]] std::size_t residentBytes() const { return m_slots.capacity() * sizeof(UnackedSegment); }

  void pushBack(const UnackedSegment& segment) { pushBack() = segment; }
  /// A place behind the last, to be filled in: what stands in it is of long ago.
  UnackedSegment& pushBack() {
    if (m_size == m_slots.size()) grow();
    return m_slots[slot(m_size++)];
  }
  void popFront() {
    m_first = slot(1);
    --m_size;
  }
  /// Index of the first segment that ends after `offset`; size() where none does.
  [[nodiscard]] std::size_t indexAfter(StreamOffset offset) const;
  /// In its place by sequence; what exists already stays, and only the rest of `segment` goes in.
  void insert(const UnackedSegment& segment);
  /// Makes `offset` a bound between two segments, where it lies inside one.
  void splitAt(StreamOffset offset);
  /// Gives the memory back.
  void release();

private:
  [[nodiscard]] std::size_t slot(std::size_t index) const { return (m_first + index) & (m_slots.size() - 1); }
  void insertAt(std::size_t index, const UnackedSegment& segment);
  void grow();

  /// A power of two, or empty.
  std::vector<UnackedSegment> m_slots;
  std::size_t m_first = 0;
  std::size_t m_size = 0;
  std::uint64_t m_forgotten = 0;
};

}  // namespace tcpscope
