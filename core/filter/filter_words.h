// The vocabulary of the filter: names of states, services and fields, numbers with units, addresses with prefixes.
//
// Each reader takes one word and gives nothing where the word does not fit; the parser says so with its place.
#pragma once

#include <optional>
#include <string_view>

#include "core/filter/connection_filter.h"

namespace tcpscope {

/// Bit n set for kernel state n, as ss names them: established, syn-sent, …, and the sets all, connected, synchronized,
/// bucket, big. Case and underscores do not matter.
std::optional<std::uint32_t> stateSet(std::string_view word);
inline constexpr std::uint32_t kAllStates = 0x1ffe;

/// "443", ":443", "https", ":https".
std::optional<std::uint16_t> portNumber(std::string_view word);

/// What `src` and `dst` compare with: "10/8", "192.0.2.1:443", "[2001:db8::]/32", "*:443", ":443", "*".
struct HostPattern {
  IpAddress network;
  unsigned prefixBits = 0;
  bool anyAddress = false;
  std::optional<std::uint16_t> port;
};
Expected<HostPattern, FilterError::Kind> hostPattern(std::string_view word);

/// A metric by its key, with or without its unit at the end, or by one of the short names (cwnd, mss, …), in
/// any case.
const MetricRow* metricField(std::string_view word);

/// A number in the metric's base unit from "50ms", "10Mbit", "64KiB", "2%", "true", "recovery".
std::optional<double> metricValue(const MetricRow& row, std::string_view word);
/// The same for a value that somebody wishes for: above zero, and with an end.
std::optional<double> wantedValue(Metric metric, std::string_view word);
/// What metricValue would take for this unit, with an example.
std::string_view valueExample(MetricUnit unit);

/// "receiver", "send_buffer" or "send-buffer", ….
std::optional<Limit> limitWord(std::string_view word);

/// Letters of ASCII in lower case, '_' as '-': how the filter compares its own words.
std::string folded(std::string_view word);

}  // namespace tcpscope
