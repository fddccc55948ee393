// Estimates SRTT, RTT variation and RTO of a sender from its RTT samples (RFC 6298, with the smallest wait and the
// initial value that Linux uses).
#pragma once

#include <algorithm>
#include <optional>

#include "core/base/units.h"

namespace tcpscope {

class RttEstimator {
public:
  void add(Nanoseconds sample) {
    if (!m_hasSample) {
      m_smoothed = sample;
      m_variation = sample / 2;
      m_quickest = sample;
      m_hasSample = true;
      return;
    }
    m_quickest = std::min(m_quickest, sample);
    const Nanoseconds error = sample - m_smoothed;
    m_smoothed += error / 8;
    m_variation += (std::chrono::abs(error) - m_variation) / 4;
  }

  [[nodiscard]] std::optional<Nanoseconds> smoothed() const {
    return m_hasSample ? std::optional(m_smoothed) : std::nullopt;
  }
  /// The shortest sample; nothing before the first.
  [[nodiscard]] std::optional<Nanoseconds> quickest() const {
    return m_hasSample ? std::optional(m_quickest) : std::nullopt;
  }
  /// Linux puts the floor of 200 ms under the variation, not under the sum (tcp_rtt_estimator in net/ipv4/tcp_input.c).
  [[nodiscard]] Nanoseconds timeout() const {
    constexpr Nanoseconds kInitial = std::chrono::seconds(1);
    constexpr Nanoseconds kSmallestVariation = std::chrono::milliseconds(200);
    return m_hasSample ? m_smoothed + std::max(kSmallestVariation, m_variation * 4) : kInitial;
  }

private:
  Nanoseconds m_smoothed{0};
  Nanoseconds m_variation{0};
  Nanoseconds m_quickest{0};
  bool m_hasSample = false;
};

}  // namespace tcpscope
