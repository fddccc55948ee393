// A figure that is told, or why it is not: a check without its figure is not known, and that is never "passed".
#pragma once

#include <cstdint>

#include "core/base/expected.h"

namespace tcpscope {

enum class UnknownReason : std::uint8_t {
  /// Nobody said so: the device, the driver or the system has no such figure.
  notTold,
  notPermitted,
  /// This kernel has no such interface.
  notSupported,
  /// A counter is lower than it was: its device or queue was set up anew between the readings.
  beganAnew,
  /// The process ended.
  ended,
  /// Another process has its number by now.
  replaced,
  /// The kernel could count it, and was told not to.
  switchedOff,
  /// Too little was counted to tell: the system leaves a part out.
  notCounted,
  /// The other host, or the routers before it, said nothing.
  notAnswered,
  count,
};

template <class T>
using Told = Expected<T, UnknownReason>;

/// What a reading starts from.
inline Unexpected<UnknownReason> untold(UnknownReason reason = UnknownReason::notTold) {
  return Unexpected<UnknownReason>(reason);
}

}  // namespace tcpscope
