// Periods in which the program at this end held up the connection, against the time in which it got no processor: a
// program that is slow, and one that the host does not let run, leave the same traces in the socket.
#pragma once

#include <cstdint>
#include <span>

#include "core/diagnosis/limits/limit_timeline.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

struct HeldUpPeriods {
  std::uint32_t count = 0;
  /// Those in which a thread of the program was ready to run, and did not, for at least half of the time.
  std::uint32_t withoutProcessor = 0;
  /// Of all of them.
  Nanoseconds time{0};
  /// In those without a processor, ready to run and not running; a sample of the program counts by its share in the
  /// period.
  Nanoseconds withoutProcessorTime{0};

  bool operator==(const HeldUpPeriods&) const = default;
};

/// Of the reader, or of the writer. As far as the samples of the program go, which follow one another in time.
HeldUpPeriods heldUpByReader(std::span<const LimitInterval> limits, std::span<const ProgramWaits> waits);
HeldUpPeriods heldUpByWriter(std::span<const LimitInterval> limits, std::span<const ProgramWaits> waits);

}  // namespace tcpscope
