#include "core/loss/accepted_rate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/experiment/proportion.h"
#include "core/experiment/sample_summary.h"

namespace tcpscope {

namespace {

constexpr std::size_t kSpansAtLeast = 4;
constexpr std::size_t kSpansAtMost = 200;

/// From the first loss of an event to that of the next.
struct PassedSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  double passed = 0.0;
  double seconds = 0.0;

  [[nodiscard]] double rate() const { return passed / seconds; }
  /// Some packets are still on their way to the bucket, and not all are of one size.
  [[nodiscard]] bool isAt(double packetsPerSecond) const {
    constexpr double kPackets = 3.0;
    constexpr double kRatio = 0.03;
    return std::abs(passed - packetsPerSecond * seconds) <= kPackets + kRatio * passed;
  }
};

std::vector<PassedSpan> spansOf(std::span<const Moment> sent, std::span<const std::size_t> lost,
                                Nanoseconds roundTrip) {
  std::vector<PassedSpan> spans;
  std::size_t first = 0;
  for (std::size_t loss = 1; loss < lost.size() && spans.size() < kSpansAtMost; ++loss) {
    const Nanoseconds length = sent[lost[loss]] - sent[lost[first]];
    if (length <= roundTrip) continue;
    const auto packets = static_cast<double>(lost[loss] - lost[first]);
    spans.push_back({lost[first], lost[loss], packets - static_cast<double>(loss - first), toSeconds(length)});
    first = loss;
  }
  return spans;
}

std::uint64_t spansAt(const std::vector<PassedSpan>& spans, double rate) {
  return static_cast<std::uint64_t>(
      std::count_if(spans.begin(), spans.end(), [rate](const PassedSpan& span) { return span.isAt(rate); }));
}

/// The one that most spans agree on.
double rateOfMost(const std::vector<PassedSpan>& spans) {
  const auto most = std::max_element(spans.begin(), spans.end(), [&](const PassedSpan& a, const PassedSpan& b) {
    return spansAt(spans, a.rate()) < spansAt(spans, b.rate());
  });
  return most->rate();
}

double sentBefore(std::span<const Moment> sent, std::size_t index, Nanoseconds roundTrip) {
  const auto end = sent.begin() + static_cast<std::ptrdiff_t>(index);
  return static_cast<double>(end - std::lower_bound(sent.begin(), end, sent[index] - roundTrip));
}

/// Tokens in the bucket at its fullest, in packets; empty at the span's begin.
double fullestBucket(std::span<const Moment> sent, std::span<const std::size_t> lost, const PassedSpan& span,
                     double rate) {
  auto next = std::lower_bound(lost.begin(), lost.end(), span.begin);
  double passed = 0.0;
  double fullest = 0.0;
  for (std::size_t index = span.begin; index < span.end; ++index) {
    fullest = std::max(fullest, rate * toSeconds(sent[index] - sent[span.begin]) - passed);
    const bool isLost = next != lost.end() && *next == index;
    if (isLost) {
      ++next;
    } else {
      passed += 1.0;
    }
  }
  return fullest;
}

}  // namespace

double AcceptedRate::sureness() const {
  constexpr double kExceeds = 1.05;
  const auto interval = proportionInterval95(spansAtRate, spans);
  return excessRatio >= kExceeds && interval ? interval->low : 0.0;
}

std::optional<AcceptedRate> findAcceptedRate(std::span<const Moment> sent, std::span<const std::size_t> lost,
                                             Nanoseconds roundTrip) {
  if (roundTrip <= Nanoseconds(0)) return std::nullopt;
  const std::vector<PassedSpan> spans = spansOf(sent, lost, roundTrip);
  if (spans.size() < kSpansAtLeast) return std::nullopt;
  AcceptedRate result;
  result.packetsPerSecond = rateOfMost(spans);
  result.spans = spans.size();
  result.spansAtRate = spansAt(spans, result.packetsPerSecond);
  if (result.packetsPerSecond <= 0.0) return std::nullopt;
  std::vector<double> excess;
  std::vector<double> depths;
  for (const PassedSpan& span : spans) {
    if (!span.isAt(result.packetsPerSecond)) continue;
    excess.push_back(sentBefore(sent, span.end, roundTrip) / (result.packetsPerSecond * toSeconds(roundTrip)));
    depths.push_back(fullestBucket(sent, lost, span, result.packetsPerSecond) / result.packetsPerSecond);
  }
  result.excessRatio = summarize(excess).median;
  result.depth = Nanoseconds(std::llround(summarize(depths).median * 1e9));
  return result;
}

}  // namespace tcpscope
