// One window of data per RTT: the rate that a window allows, and the window that a rate takes.
//
// Always valid, whatever the congestion control: what is not acknowledged yet cannot be more than the window (RFC 7323
// §1.1).
#pragma once

#include "core/base/units.h"

namespace tcpscope {

/// `rttSeconds` must be above zero.
constexpr BitsPerSecond rateOfWindow(double windowBytes, double rttSeconds) {
  return BitsPerSecond::fromBytesPerSecond(windowBytes / rttSeconds);
}

/// Bytes that have to be in flight for the rate.
constexpr double bandwidthDelayBytes(BitsPerSecond rate, double rttSeconds) {
  return rate.value() * rttSeconds / kBitsPerByte;
}

}  // namespace tcpscope
