// Figures as people read them: quantities, metrics, and figures of evidence by their keys, which end in their unit
// ("_bytes", "_us", "_ratio", …). Rates in bit/s with SI prefixes, sizes in bytes with binary prefixes, times in a
// fitting unit.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "core/base/units.h"
#include "core/model/metric_catalogue.h"

namespace tcpscope {

std::string formatRate(BitsPerSecond rate);  // "12.3 Mbit/s", "unlimited"
std::string formatBytes(double bytes);       // "64.0 KiB"
std::string formatTime(double seconds);      // "1.20 ms"
/// With two significant digits, "1.2 ms": of quantiles that are counted in cells (core/wire/flow/rtt_distribution.h);
/// with three where two would leave the range of the samples.
std::string formatQuantileTime(double seconds, double least = 0.0,
                               double most = std::numeric_limits<double>::infinity());
std::string formatRatio(double ratio);         // "12.3 %"
std::string formatCount(std::uint64_t count);  // "19,873"
/// To the nearest whole number: "19,873"; in powers of ten where no counter reaches it: "4.96e+42".
std::string formatWhole(double count);
/// A metric's value with its unit, as people read it.
std::string formatMetric(Metric metric, double value);

/// Title of a figure: of this catalogue, else of the metric of that key, else the key itself.
std::string_view evidenceTitle(std::string_view key);

/// A value in the unit that its key ends in.
std::string formatByKey(std::string_view key, double value);

}  // namespace tcpscope
