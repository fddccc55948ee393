#include "core/present/text/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string chanceText(double pValue) {
  if (pValue < 0.001) return "p < 0.001";
  return fmt::format("p = {:.3f}", pValue);
}

/// `speedup` is how many times as fast it is after.
std::string speedupText(const SampleComparison& comparison, double speedup, const Interval& range,
                        std::string_view which) {
  const std::string interval = fmt::format("(95 %: {:.2f} to {:.2f})", range.low, range.high);
  const bool excludesNoChange = range.low > 1.0 || range.high < 1.0;
  if (!comparison.isDecided() && excludesNoChange) {
    return fmt::format(
        "Not certain: {:.2f} times as fast {} {}, but the difference of the means may be chance; more runs may show "
        "it.",
        speedup, which, interval);
  }
  if (!comparison.isDecided()) {
    return fmt::format("No significant difference: {:.2f} times as fast {} {}; more runs may show one.", speedup, which,
                       interval);
  }
  return fmt::format("{:.2f} times as fast {} {}; {}.", speedup, which, interval, chanceText(*comparison.pValue));
}

}  // namespace

std::string sentence(const SampleComparison& comparison, SampleKind kind, std::string_view which) {
  const bool isDuration = kind == SampleKind::runs;
  const bool isCompared =
      comparison.pValue && comparison.ratioInterval95 && (isDuration || comparison.ratioInterval95->low > 0.0);
  if (!isCompared) {
    return isDuration ? "Too few runs to compare." : "Too few samples to compare.";
  }
  const Interval& range = *comparison.ratioInterval95;
  return speedupText(comparison, speedup(comparison, kind),
                     isDuration ? range : Interval{1.0 / range.high, 1.0 / range.low}, which);
}

namespace {

std::string rate(double bitsPerSecond) {
  return formatRate(BitsPerSecond(bitsPerSecond));
}

std::string figuresOf(const SampleSummary& sample) {
  std::string text = rate(sample.mean);
  if (sample.meanInterval95) {
    text += fmt::format(" (95 %: {} to {})", rate(std::max(sample.meanInterval95->low, 0.0)),
                        rate(sample.meanInterval95->high));
  }
  text += fmt::format(", median {}", rate(sample.median));
  if (sample.standardDeviation) text += fmt::format(", SD {}", rate(*sample.standardDeviation));
  return text + fmt::format(", {} blocks", sample.count);
}

std::string comparedSentence(const ChangeProof& proof) {
  std::string text = sentence(proof.comparison(), SampleKind::blocks);
  if (const auto& trips = proof.changedRtts()) {
    text += fmt::format(" The minimum RTT was {} before and is {} since: {}.", formatTime(toSeconds(trips->before)),
                        formatTime(toSeconds(trips->since)),
                        trips->since > trips->before ? "a queue has built up on the path, or the route changed"
                                                     : "the route may have changed, which may be the reason");
  }
  return text;
}

}  // namespace

std::string sentence(const ChangeProof& proof) {
  switch (proof.state()) {
    case ChangeProof::State::awaitsConnection:
      return "Applies to new connections only: the next one to the same peer is measured.";
    case ChangeProof::State::gathers:
      return "Measuring: this takes some seconds.";
    case ChangeProof::State::compared:
      return comparedSentence(proof);
    case ChangeProof::State::nothingBefore:
      return "Nothing to compare with: the connection was observed for too short a time before the change.";
    case ChangeProof::State::closed:
      return "The measurement ended: the connection closed before there was enough to compare.";
  }
  return {};
}

std::string figures(const ChangeProof& proof) {
  if (proof.state() != ChangeProof::State::compared) return {};
  return fmt::format("Before: {}\nSince: {}", figuresOf(proof.comparison().before),
                     figuresOf(proof.comparison().after));
}

}  // namespace tcpscope
