#include "app/lab/path/early_detection.h"

#include <cmath>

namespace tcpscope::lab {

namespace {

/// What an idle link could have sent meanwhile, for the mean's decay.
constexpr double kTypicalPacketBits = 500.0 * 8.0;

}  // namespace

void EarlyDetection::updateMean(const RandomEarlyDetection& settings, Bytes waiting, BitsPerSecond rate, Moment now) {
  if (m_idleSince) {
    const double packets = toSeconds(now - *m_idleSince) * rate.value() / kTypicalPacketBits;
    m_meanBytes *= std::pow(1.0 - settings.weight, packets);
    m_idleSince.reset();
  }
  m_meanBytes += settings.weight * (static_cast<double>(waiting.value()) - m_meanBytes);
}

EarlyVerdict EarlyDetection::judge(const RandomEarlyDetection& settings, Bytes waiting, BitsPerSecond rate,
                                   Moment now) {
  updateMean(settings, waiting, rate, now);
  const auto minimum = static_cast<double>(settings.minimum.value());
  const auto maximum = static_cast<double>(settings.maximum.value());
  if (m_meanBytes >= maximum) {
    m_sinceSignal = 0;
    return EarlyVerdict::refuse;
  }
  if (m_meanBytes < minimum) {
    m_sinceSignal = -1;
    return EarlyVerdict::pass;
  }
  ++m_sinceSignal;
  const double ratio = settings.maximumRatio * (m_meanBytes - minimum) / (maximum - minimum);
  // Evens out the distances between signals: certain after 1 / ratio packets.
  const double rest = 1.0 - static_cast<double>(m_sinceSignal) * ratio;
  const bool signals = rest <= 0.0 || m_random.happens(ratio / rest);
  if (!signals) return EarlyVerdict::pass;
  m_sinceSignal = 0;
  return EarlyVerdict::signal;
}

}  // namespace tcpscope::lab
