// The factor k of y = k x that fits measured points best by their relative errors, as rate equations of the form
// "streams × k / RTT" are found.
#pragma once

#include <optional>
#include <span>

#include "core/base/sample_summary.h"

namespace tcpscope {

struct FitPoint {
  double x = 0.0;
  double y = 0.0;
};

struct ProportionalFit {
  double factor = 0.0;
  /// Takes the relative errors as independent and of one size; nothing from a single point.
  std::optional<Interval> factorInterval95 = std::nullopt;
  /// Largest |k x - y| / y over the points.
  double worstRelativeError = 0.0;
};

/// Minimises the sum of squared relative errors. Points that are not above zero are left out; nothing without any
/// other.
std::optional<ProportionalFit> fitProportional(std::span<const FitPoint> points);

}  // namespace tcpscope
