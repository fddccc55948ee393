// A share of trials and how well it is known: the exact binomial interval (Clopper and Pearson 1934), which never
// promises more than it holds.
//
// The trials are taken as independent of each other.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/sample_summary.h"

namespace tcpscope {

/// 95 % confidence interval of the probability. Where nothing happened it is one-sided, 0 up to about 3 / trials (the
/// rule of three); likewise where all did. Nothing without a trial, or with more happened than tried.
std::optional<Interval> proportionInterval95(std::uint64_t happened, std::uint64_t trials);

}  // namespace tcpscope
