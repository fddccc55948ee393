// How many flows of each kind a loss event hits: drops less than one RTT apart are one event. Beside the counts
// stand the equations of "Packet loss burstiness" (Wei, Cao, Low), which hold for perfectly spread and perfectly
// bunched packets: min(M, N) flows that pace their packets, max(M / K, 1) flows that send a window at once, with M
// drops in the event, N flows and K packets of a flow per RTT.
#pragma once

#include <span>

#include "app/lab/engine/lab_process.h"

namespace tcpscope::lab {

struct CensusRow {
  std::string traffic;
  std::size_t flows = 0;
  /// Of all events, also those that hit none of these flows.
  double flowsHitMean = 0.0;
  double dropsMean = 0.0;
  double expectedPaced = 0.0;
  double expectedBunched = 0.0;
};

struct LossEventCensus {
  std::size_t events = 0;
  double dropsMean = 0.0;
  std::vector<CensusRow> rows;
};

/// `packetsPerRtt` of a flow of each traffic, in the scenario's order.
LossEventCensus censusOf(std::span<const PathEvent> events, const LabResult& result, Nanoseconds rtt,
                         std::span<const double> packetsPerRtt, const Scenario& scenario);

/// From each drop to the next, in RTTs; nothing without an RTT.
std::vector<double> dropIntervals(std::span<const PathEvent> events, Nanoseconds rtt);

}  // namespace tcpscope::lab
