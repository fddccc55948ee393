#include "ui/plots/span_measurement.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tcpscope {

namespace {

struct Sample {
  /// From the beginning of the span.
  double seconds = 0.0;
  double value = 0.0;
};

/// Of the range, on each side of the middle.
constexpr double kHysteresis = 0.1;
constexpr std::size_t kRisesAtLeast = 3;

std::vector<Sample> samplesOf(const ConnectionHistory& history, Metric metric, Moment from, Moment to) {
  std::vector<Sample> samples;
  for (const auto& chunk : history.chunks()) {
    if (chunk->size() == 0 || chunk->time(chunk->size() - 1) < from || chunk->time(0) > to) continue;
    for (std::size_t index = 0; index < chunk->size(); ++index) {
      const Moment time = chunk->time(index);
      const double value = chunk->value(metric, index);
      if (time >= from && time <= to && std::isfinite(value))
        samples.push_back({std::chrono::duration<double>(time - from).count(), value});
    }
  }
  return samples;
}

std::optional<double> slopeOf(const std::vector<Sample>& samples) {
  if (samples.size() < 2) return std::nullopt;
  double time = 0.0;
  double value = 0.0;
  for (const Sample& sample : samples) {
    time += sample.seconds;
    value += sample.value;
  }
  const auto count = static_cast<double>(samples.size());
  time /= count;
  value /= count;
  double product = 0.0;
  double square = 0.0;
  for (const Sample& sample : samples) {
    product += (sample.seconds - time) * (sample.value - value);
    square += (sample.seconds - time) * (sample.seconds - time);
  }
  return square > 0.0 ? std::optional(product / square) : std::nullopt;
}

/// Frequency and duty cycle from the first rise to the last.
void measurePeriods(const std::vector<Sample>& samples, SpanMeasurement& measured) {
  if (samples.empty()) return;
  const auto [smallest, largest] = std::minmax_element(
      samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.value < b.value; });
  const double range = largest->value - smallest->value;
  const double middle = (largest->value + smallest->value) / 2.0;
  if (range <= 0.0) return;
  std::optional<bool> isHigh;
  std::optional<double> firstRise;
  double lastRise = 0.0;
  std::size_t rises = 0;
  // Of whole periods, and of the one that is not over.
  double high = 0.0;
  double highSinceRise = 0.0;
  double before = 0.0;
  for (const Sample& sample : samples) {
    if (isHigh.value_or(false)) highSinceRise += sample.seconds - before;
    before = sample.seconds;
    if (sample.value > middle + kHysteresis * range) {
      if (isHigh && !*isHigh) {
        ++rises;
        if (firstRise) high += highSinceRise;
        if (!firstRise) firstRise = sample.seconds;
        lastRise = sample.seconds;
        highSinceRise = 0.0;
      }
      isHigh = true;
    } else if (sample.value < middle - kHysteresis * range) {
      isHigh = false;
    }
  }
  if (rises < kRisesAtLeast || lastRise <= *firstRise) return;
  measured.frequencyHz = static_cast<double>(rises - 1) / (lastRise - *firstRise);
  measured.dutyRatio = high / (lastRise - *firstRise);
}

}  // namespace

SpanMeasurement measureSpan(const ConnectionHistory& history, Metric metric, Moment from, Moment to) {
  const std::vector<Sample> samples = samplesOf(history, metric, from, to);
  SpanMeasurement measured;
  measured.slopePerSecond = slopeOf(samples);
  measurePeriods(samples, measured);
  return measured;
}

}  // namespace tcpscope
