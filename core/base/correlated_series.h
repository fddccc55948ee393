// Values that follow each other in time depend on each other. How long that lasts, and the means of blocks that are
// longer, which can be compared as if they were independent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tcpscope {

/// Integrated autocorrelation time of an evenly spaced series, in steps: 1 for independent values and for a constant,
/// (1 + a) / (1 - a) for a first-order autoregressive one. Summed up to where neighbouring pairs of autocorrelations
/// cease to be positive (Geyer, Statistical Science 1992, 3.3).
double correlationSteps(std::span<const double> values);

/// Means of the blocks of this length that fit whole, at least 1 long; what is left over at the end counts nowhere.
std::vector<double> blockMeans(std::span<const double> values, std::size_t stepsPerBlock);

/// Means of blocks of at least `fewestSteps`, and of at least twice the time over which the values depend on each
/// other.
std::vector<double> independentMeans(std::span<const double> values, std::size_t fewestSteps);

}  // namespace tcpscope
