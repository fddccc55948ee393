// One record of the program in the kernel, from its bytes: which segment was dropped or retransmitted, when and where.
#pragma once

#include <cstddef>
#include <span>

#include "collectors/bpf/kernel_record.h"
#include "core/wire/loss/local_drops.h"

namespace tcpscope {

struct TracedLoss {
  SegmentSeen segment;
  /// Of a drop, in the running kernel's numbers; absent for a retransmission.
  std::optional<std::uint32_t> dropReason;
  /// Of a retransmission: what was dropped since then is the retransmission itself.
  Moment begun;
};

/// Absent for a record that is too short, of another kind or of another family than IP.
std::optional<TracedLoss> decodeKernelRecord(std::span<const std::byte> record);

}  // namespace tcpscope
