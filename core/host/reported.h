// A figure that the system reports, or the reason why it does not: a check without its figure is unknown, never
// "passed".
#pragma once

#include <cstdint>

#include "core/base/expected.h"

namespace tcpscope {

enum class UnknownReason : std::uint8_t {
  /// The device, the driver or the system has no such figure.
  notReported,
  notPermitted,
  /// This kernel has no such interface.
  notSupported,
  /// A counter is lower than it was: its device or queue was reset between the readings.
  counterReset,
  /// The process ended.
  ended,
  /// The PID belongs to another process by now.
  replaced,
  /// The kernel could count it, but counting is disabled.
  switchedOff,
  /// Too little was counted for a result: the system does not count all.
  notCounted,
  /// Neither the other host nor the routers on the path answered.
  notAnswered,
  count,
};

template <class T>
using Reported = Expected<T, UnknownReason>;

/// The initial value of a reading.
inline Unexpected<UnknownReason> unreported(UnknownReason reason = UnknownReason::notReported) {
  return Unexpected<UnknownReason>(reason);
}

}  // namespace tcpscope
