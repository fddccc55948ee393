// What one direction has not shown yet below the highest number it has shown: the other half of sequence accounting.
// A byte below the highest that lies in no hole was seen before.
//
// In order of sequence, each with the moment at which the segment after it was seen. Bounded: past the limit the lower
// half is given up and counted, and what comes there later passes for seen.
#pragma once

#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/wire/flow/sending_order.h"

namespace tcpscope {

struct SequenceHole {
  SequenceRange range;
  WallTime openedAt;
  /// Of the segment that came after the hole.
  SendingOrder orderAfter;
  /// Place among the direction's packets that the first one missing would have had.
  std::uint32_t position = 0;
  /// Where that packet began: the hole's own beginning moves as it is filled. Nothing where no packet before it was
  /// seen.
  std::optional<StreamOffset> openedFrom;
};

class SequenceHoles {
public:
  static constexpr std::size_t kMaxHoles = 1024;

  /// Above all holes that there are; one that follows the last without a step makes it longer.
  void open(const SequenceHole& hole);
  /// The first hole that `range` reaches into; null where every byte of it was seen.
  [[nodiscard]] const SequenceHole* find(SequenceRange range) const;
  /// How many bytes of the range were in holes.
  std::uint64_t fill(SequenceRange range);
  /// Bytes of holes in the range.
  [[nodiscard]] std::uint64_t bytesIn(SequenceRange range) const;

  [[nodiscard]] bool isEmpty() const { return m_holes.empty(); }
  [[nodiscard]] std::uint64_t forgottenBytes() const { return m_forgottenBytes; }
  [[nodiscard]] const std::vector<SequenceHole>& holes() const { return m_holes; }

private:
  void bound();

  std::vector<SequenceHole> m_holes;
  std::uint64_t m_forgottenBytes = 0;
};

}  // namespace tcpscope
