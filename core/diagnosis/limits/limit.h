// What held a connection back over a span of time, as shares of that span.
//
// The classes are those of Web100's triage, refined: see limit_timeline.h for how a span is attributed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "core/base/units.h"

namespace tcpscope {

enum class Limit : std::uint8_t {
  receiver,
  sendBuffer,
  network,
  recovery,
  timeout,
  application,
  idle,
  unknown,
  // Of verdicts alone: nothing moves, so that there is no time to share out.
  opening,
  stalled,
};

/// The limits that time is shared out to.
inline constexpr std::size_t kLimitCount = 8;
inline constexpr std::array<Limit, kLimitCount> kLimits = {Limit::receiver, Limit::sendBuffer, Limit::network,
                                                           Limit::recovery, Limit::timeout,    Limit::application,
                                                           Limit::idle,     Limit::unknown};
/// The limits that a verdict may name.
inline constexpr std::array<Limit, kLimitCount + 2> kVerdictLimits = {
    Limit::receiver,    Limit::sendBuffer, Limit::network, Limit::recovery, Limit::timeout,
    Limit::application, Limit::idle,       Limit::unknown, Limit::opening,  Limit::stalled};

/// Is time shared out to it?
constexpr bool hasShare(Limit limit) {
  return limit <= Limit::unknown;
}

/// snake_case, as in the JSON documents and in the filter ("send_buffer").
std::string_view name(Limit limit);

/// Time spent under each limit. The sum is the observed time.
class LimitShares {
public:
  void add(Limit limit, Nanoseconds span) { m_spans[static_cast<std::size_t>(limit)] += span; }
  LimitShares& operator+=(const LimitShares& other) {
    for (std::size_t index = 0; index < kLimitCount; ++index) m_spans[index] += other.m_spans[index];
    return *this;
  }

  [[nodiscard]] Nanoseconds span(Limit limit) const { return m_spans[static_cast<std::size_t>(limit)]; }
  [[nodiscard]] Nanoseconds observed() const {
    Nanoseconds sum{0};
    for (const Nanoseconds span : m_spans) sum += span;
    return sum;
  }
  /// 0…1; 0 for every limit where nothing was observed.
  [[nodiscard]] double ratio(Limit limit) const {
    const Nanoseconds whole = observed();
    if (whole <= Nanoseconds::zero()) return 0.0;
    return static_cast<double>(span(limit).count()) / static_cast<double>(whole.count());
  }
  /// Of the path as a whole: the network, and what its losses cost.
  [[nodiscard]] double pathRatio() const {
    return ratio(Limit::network) + ratio(Limit::recovery) + ratio(Limit::timeout);
  }
  /// The limit with the largest span; `unknown` where nothing was observed.
  [[nodiscard]] Limit largest() const;

  bool operator==(const LimitShares&) const = default;

private:
  std::array<Nanoseconds, kLimitCount> m_spans{};
};

}  // namespace tcpscope
