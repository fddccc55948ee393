// How a row of the catalogue gets its number: every kind of kernel value turned into a double in its base unit.
//
// Flags become 0 or 1, states their number, a rate without limit infinity. "Not reported" stays an empty optional.
#pragma once

#include <optional>

#include "core/model/metric_catalogue.h"

namespace tcpscope::metric_rows {

using enum MetricUnit;
using enum MetricKind;

inline double baseValue(Bytes value) {
  return static_cast<double>(value.value());
}
inline double baseValue(Segments value) {
  return static_cast<double>(value.value());
}
inline double baseValue(Count value) {
  return static_cast<double>(value.value());
}
inline double baseValue(Microseconds value) {
  return static_cast<double>(value.count());
}
inline double baseValue(BitsPerSecond value) {
  return value.value();
}
inline double baseValue(TcpOptions value) {
  return value.bits;
}
inline double baseValue(bool value) {
  return value ? 1.0 : 0.0;
}
inline double baseValue(TcpState value) {
  return static_cast<double>(value);
}
inline double baseValue(CaState value) {
  return static_cast<double>(value);
}
inline double baseValue(double value) {
  return value;
}

template <class Value>
std::optional<double> baseValue(const std::optional<Value>& value) {
  if (!value) return std::nullopt;
  return baseValue(*value);
}

/// A variable of struct tcp_info.
template <auto kGetter>
std::optional<double> info(const MetricSource& source) {
  return baseValue((source.socket.info.*kGetter)());
}

template <auto kMember>
std::optional<double> accecn(const MetricSource& source) {
  return baseValue(source.socket.info.accecnFields().*kMember);
}

template <auto kMember>
std::optional<double> socket(const MetricSource& source) {
  return baseValue(source.socket.*kMember);
}

template <auto kMember>
std::optional<double> memory(const MetricSource& source) {
  if (!source.socket.memory) return std::nullopt;
  return baseValue((*source.socket.memory).*kMember);
}

template <auto kMember>
std::optional<double> bbr(const MetricSource& source) {
  if (!source.socket.bbr) return std::nullopt;
  return baseValue((*source.socket.bbr).*kMember);
}

/// What follows from two samples.
template <auto kMember>
std::optional<double> overInterval(const MetricSource& source) {
  if (source.interval == nullptr) return std::nullopt;
  return baseValue(source.interval->*kMember);
}

}  // namespace tcpscope::metric_rows
