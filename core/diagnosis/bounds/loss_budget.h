// How much loss a rate can stand: what a path may lose at most so that a connection of the Reno kind reaches a target.
//
// p = (C * MSS / (rate * RTT))^2, the model of Mathis turned round (equation 2 of Web100's paper on the Visible Human
// project, which has C = 1). RFC 8337 asks for more: its target_run_length is 3 * W^2 packets without a loss event, W
// being the segments in flight.
#pragma once

#include <cstdint>

#include "core/diagnosis/bounds/mathis.h"

namespace tcpscope {

struct LossBudget {
  /// What it is for.
  BitsPerSecond rate;
  double rttSeconds = 0.0;
  /// Loss events per packet, at most.
  double lossEventRatio = 0.0;
  /// Packets between two of them, at least.
  double packetsBetween = 0.0;
  /// RFC 8337's target_run_length: stricter.
  double runLengthRfc8337 = 0.0;
};

/// Rate, RTT and segment must be above zero.
LossBudget lossBudget(BitsPerSecond rate, double rttSeconds, double mssBytes, double constant = kMathisConstant);

}  // namespace tcpscope
