// Metrics as people type them: keys with or without the unit, and values with units ("50ms", "10Mbit", "64KiB").
//
// Each function takes one word and returns nothing where the word does not fit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/metric_catalogue.h"

namespace tcpscope {

/// A metric by its key, with or without its unit at the end, or by one of the short names (cwnd, mss, …), in
/// any case.
const MetricRow* metricField(std::string_view word);

/// A number in the metric's base unit from "50ms", "10Mbit", "64KiB", "2%", "true", "recovery".
std::optional<double> metricValue(const MetricRow& row, std::string_view word);
/// The same for a requested value: above zero and finite.
std::optional<double> wantedValue(Metric metric, std::string_view word);
/// What metricValue would take for this unit, with an example.
std::string_view valueExample(MetricUnit unit);

/// Letters of ASCII in lower case, '_' as '-': how words are compared.
std::string folded(std::string_view word);

}  // namespace tcpscope
