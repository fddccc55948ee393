#include "core/present/text/change_proof_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/present/text/sample_comparison_text.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

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
  }
  return {};
}

std::string figures(const ChangeProof& proof) {
  if (proof.state() != ChangeProof::State::compared) return {};
  return fmt::format("Before: {}\nSince: {}", figuresOf(proof.comparison().before),
                     figuresOf(proof.comparison().after));
}

}  // namespace tcpscope
