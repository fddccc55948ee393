// How fairly a network is shared: what max-min fairness would give each flow (Bertsekas and Gallager, Data Networks,
// 6.5.2), and Jain's index of what they got (Jain, Chiu, Hawe 1984).
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace tcpscope {

struct SharingFlow {
  /// What the flow could use at most in bit/s: its window divided by the RTT, its pacing rate.
  double demandBps = std::numeric_limits<double>::infinity();
  /// Indices of the links that it crosses.
  std::vector<std::size_t> links;
};

/// Max-min fair rate of each flow in bit/s; infinite for a flow that nothing bounds. Capacities in bit/s, infinity
/// for a link without a rate.
std::vector<double> maxMinFairShares(std::span<const SharingFlow> flows, std::span<const double> capacities);

/// (sum x)² / (n sum x²): 1 where all are equal, 1/n where one has everything; NaN for no values or all zero.
double jainFairness(std::span<const double> values);

}  // namespace tcpscope
