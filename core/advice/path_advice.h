// The buffers that the next connection over a path should have, from what the path has shown: as the Enable service
// advised programs that were about to open one.
//
// Twice bandwidth times delay is a start (core/advice/buffer_size.h), for the whole of the rate whatever number of
// streams moved it. A rate that something other than the path limited makes it the least that the path needs; where
// that was the buffer itself, it shows only what was used so far.
#pragma once

#include "core/advice/path_entry.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

enum class WhyNoBuffer : std::uint8_t {
  noRtt,
  /// No transfer of a fair length was seen this way.
  noRate,
};

/// How far the rate that the size is made of can be trusted to be the path's.
enum class BufferBasis : std::uint8_t {
  /// The path limited the transfer.
  ofPath,
  /// Something else did, or that is in doubt: the path takes this or more.
  atLeast,
  /// The window or the buffer that is to be sized limited it.
  ofBuffer,
};

struct BufferAdvice {
  Side side = Side::sending;
  std::optional<WhyNoBuffer> whyNot;
  Bytes wanted;
  BufferBasis basis = BufferBasis::atLeast;
  BitsPerSecond rate;
  /// The most that autotuning may reach on this host; absent where not reported.
  std::optional<Bytes> largestHere;

  /// Absent where the size or the host's limit is not known.
  [[nodiscard]] std::optional<bool> fitsHere() const {
    if (whyNot || !largestHere) return std::nullopt;
    return wanted <= *largestHere;
  }
};

/// The key of the setting that limits this side's buffer.
std::string_view bufferSetting(Side side);

BufferAdvice adviseBuffer(const PathEntry& entry, Side side, const SysctlValues& settings);

}  // namespace tcpscope
