// Random early detection: the mean queue length, and what it means for each arriving packet (Floyd and Jacobson,
// "Random early detection gateways for congestion avoidance", 1993).
//
// Lengths are in bytes. The mean of an idle queue decays as if small packets had been sent all the time.
#pragma once

#include <optional>

#include "app/lab/path/link_settings.h"
#include "core/base/moment.h"
#include "core/base/random_stream.h"

namespace tcpscope::lab {

enum class EarlyVerdict : std::uint8_t {
  pass,
  /// With a probability between minimum and maximum: a packet that can be marked is marked instead of dropped.
  signal,
  /// Above the maximum: dropped even where it could be marked (RFC 3168 section 7).
  refuse
};

class EarlyDetection {
public:
  explicit EarlyDetection(RandomStream random) : m_random(random) {}

  /// `waiting` is the queue before this packet; `rate` is the link's.
  EarlyVerdict judge(const RandomEarlyDetection& settings, Bytes waiting, BitsPerSecond rate, Moment now);
  /// The queue has just run empty.
  void becameIdle(Moment now) { m_idleSince = now; }
  [[nodiscard]] double meanBytes() const { return m_meanBytes; }

private:
  void updateMean(const RandomEarlyDetection& settings, Bytes waiting, BitsPerSecond rate, Moment now);

  RandomStream m_random;
  double m_meanBytes = 0.0;
  /// Packets since the last signal; -1 below the minimum, as in the paper.
  std::int64_t m_sinceSignal = -1;
  std::optional<Moment> m_idleSince = Moment();
};

}  // namespace tcpscope::lab
