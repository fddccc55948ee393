#include "core/wire/loss/random_drop_test.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "core/base/random_stream.h"
#include "core/wire/loss/loss.h"

namespace tcpscope {

namespace {

constexpr std::size_t kDrawsAtMost = 999;
constexpr std::size_t kDrawsAtLeast = 199;
/// Where chance is this likely, more draws change no verdict: of the most that puts it in doubt, 0.02, three of 100
/// million sets of 199 draws would show as much (Besag and Clifford 1991, "Sequential Monte Carlo p-values").
constexpr double kFarFromRejected = 0.1;
/// Losses looked at and words of the set walked through, over all draws: some tenths of a second.
constexpr std::size_t kWorkAtMost = 16'000'000;
constexpr std::size_t kWordBits = 64;

struct Limits {
  Nanoseconds hundredth;
  Nanoseconds whole;
};

Limits limitsOf(Nanoseconds rtt) {
  const auto part = [rtt](double ratio) { return Nanoseconds(std::llround(static_cast<double>(rtt.count()) * ratio)); };
  return {part(kHundredthRtt), part(kWholeRtt)};
}

/// What is counted of one set of losses.
struct LossPattern {
  std::uint64_t withinHundredth = 0;
  std::uint64_t withinWhole = 0;
  /// Of the gaps in packets, with those before the first loss and after the last.
  double squaredGaps = 0.0;
};

/// Takes the losses of a set one after the other.
class PatternCount {
public:
  PatternCount(std::span<const Moment> sent, const Limits& limits) : m_sent(sent), m_limits(limits) {}

  void add(std::size_t index) {
    if (m_any) {
      const Nanoseconds interval = m_sent[index] - m_sent[m_last];
      m_pattern.withinHundredth += interval <= m_limits.hundredth ? 1U : 0U;
      m_pattern.withinWhole += interval <= m_limits.whole ? 1U : 0U;
    }
    addGap(index - (m_any ? m_last : 0));
    m_last = index;
    m_any = true;
  }
  LossPattern finish() {
    addGap(m_sent.size() - m_last);
    return m_pattern;
  }

private:
  void addGap(std::size_t packets) {
    const auto gap = static_cast<double>(packets);
    m_pattern.squaredGaps += gap * gap;
  }

  std::span<const Moment> m_sent;
  Limits m_limits;
  LossPattern m_pattern;
  std::size_t m_last = 0;
  bool m_any = false;
};

/// Sets of a given size, each as likely as any other.
class RandomSet {
public:
  RandomSet(std::size_t packets, std::size_t losses, std::uint64_t seed)
      : m_packets(packets), m_losses(losses), m_random(seed, 0), m_words((packets + kWordBits - 1) / kWordBits) {}

  LossPattern draw(std::span<const Moment> sent, const Limits& limits) {
    fill();
    PatternCount count(sent, limits);
    for (std::size_t word = 0; word < m_words.size(); ++word) {
      for (std::uint64_t rest = m_words[word]; rest != 0; rest &= rest - 1) {
        count.add(word * kWordBits + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
    return count.finish();
  }

private:
  void fill() {
    // Where most are lost, it is faster to draw those that are not.
    const bool inverted = m_losses > m_packets / 2;
    std::fill(m_words.begin(), m_words.end(), 0);
    for (std::size_t left = inverted ? m_packets - m_losses : m_losses; left > 0;) {
      const std::size_t index = m_random.below(m_packets);
      const std::uint64_t bit = std::uint64_t{1} << index % kWordBits;
      if ((m_words[index / kWordBits] & bit) != 0) continue;
      m_words[index / kWordBits] |= bit;
      --left;
    }
    if (inverted) invert();
  }
  void invert() {
    for (std::uint64_t& word : m_words) word = ~word;
    if (m_packets % kWordBits != 0) m_words.back() &= (std::uint64_t{1} << m_packets % kWordBits) - 1;
  }

  std::size_t m_packets;
  std::size_t m_losses;
  RandomStream m_random;
  std::vector<std::uint64_t> m_words;
};

/// Of each value, the share of all that are not smaller.
std::vector<double> upperTails(const std::vector<LossPattern>& patterns, std::uint64_t LossPattern::*count) {
  std::vector<std::uint64_t> sorted;
  sorted.reserve(patterns.size());
  for (const LossPattern& pattern : patterns) sorted.push_back(pattern.*count);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> tails;
  tails.reserve(patterns.size());
  for (const LossPattern& pattern : patterns) {
    const auto notSmaller = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), pattern.*count);
    tails.push_back(static_cast<double>(notSmaller) / static_cast<double>(patterns.size()));
  }
  return tails;
}

/// `patterns`: the observed one first, then those drawn.
double clusteredPValueOf(const std::vector<LossPattern>& patterns) {
  const std::vector<double> hundredth = upperTails(patterns, &LossPattern::withinHundredth);
  const std::vector<double> whole = upperTails(patterns, &LossPattern::withinWhole);
  const double observed = std::min(hundredth.front(), whole.front());
  std::size_t asExtreme = 0;
  for (std::size_t index = 0; index < patterns.size(); ++index) {
    asExtreme += std::min(hundredth[index], whole[index]) <= observed ? 1U : 0U;
  }
  return static_cast<double>(asExtreme) / static_cast<double>(patterns.size());
}

double regularPValueOf(const std::vector<LossPattern>& patterns) {
  const auto asEven = std::count_if(patterns.begin(), patterns.end(), [&](const LossPattern& pattern) {
    return pattern.squaredGaps <= patterns.front().squaredGaps;
  });
  return static_cast<double>(asEven) / static_cast<double>(patterns.size());
}

/// Probability that none of the `followers` packets is lost where one of them all is lost and `losses - 1` more, one
/// entry for each number of followers until it is too small to matter.
std::vector<double> noneOfFollowersLost(std::size_t packets, std::size_t losses) {
  constexpr double kNegligible = 1e-15;
  std::vector<double> none{1.0};
  for (std::size_t drawn = 0; none.back() > kNegligible && drawn + losses < packets; ++drawn) {
    none.push_back(none.back() * static_cast<double>(packets - losses - drawn) /
                   static_cast<double>(packets - 1 - drawn));
  }
  none.push_back(0.0);
  return none;
}

}  // namespace

double expectedRatioWithin(std::span<const Moment> sent, std::size_t losses, Nanoseconds limit) {
  const std::vector<double> none = noneOfFollowersLost(sent.size(), losses);
  // Of a packet that is lost, the next loss is within the limit unless none of those sent within it is lost.
  double sum = 0.0;
  std::size_t end = 0;
  for (std::size_t index = 0; index < sent.size(); ++index) {
    end = std::max(end, index + 1);
    while (end < sent.size() && sent[end] - sent[index] <= limit) ++end;
    sum += 1.0 - none[std::min(end - index - 1, none.size() - 1)];
  }
  const double lossRatio = static_cast<double>(losses) / static_cast<double>(sent.size());
  return sum * lossRatio / static_cast<double>(losses - 1);
}

std::optional<RandomDropTest> testRandomDrop(std::span<const Moment> sent, std::span<const std::size_t> lost,
                                             Nanoseconds rtt, std::uint64_t seed) {
  if (lost.size() < 2 || lost.size() >= sent.size() || rtt <= Nanoseconds(0)) return std::nullopt;
  const Limits limits = limitsOf(rtt);
  PatternCount observed(sent, limits);
  for (const std::size_t index : lost) observed.add(index);

  RandomDropTest result;
  result.packets = sent.size();
  result.losses = lost.size();
  std::vector<LossPattern> patterns{observed.finish()};
  RandomSet set(sent.size(), lost.size(), seed);
  const auto drawUntil = [&](std::size_t draws) {
    while (patterns.size() <= draws) patterns.push_back(set.draw(sent, limits));
    result.clusteredPValue = clusteredPValueOf(patterns);
    result.regularPValue = regularPValueOf(patterns);
  };
  const std::size_t most =
      std::clamp(kWorkAtMost / (lost.size() + sent.size() / kWordBits + 1), kDrawsAtLeast, kDrawsAtMost);
  drawUntil(kDrawsAtLeast);
  const double least = std::min({result.clusteredPValue, result.regularPValue, 1.0 - result.regularPValue});
  if (least < kFarFromRejected) drawUntil(most);
  result.draws = patterns.size() - 1;

  const auto share = [&](std::uint64_t within, Nanoseconds limit) {
    return ShareAgainstChance{static_cast<double>(within) / static_cast<double>(lost.size() - 1),
                              expectedRatioWithin(sent, lost.size(), limit)};
  };
  result.withinHundredthRtt = share(patterns.front().withinHundredth, limits.hundredth);
  result.withinRtt = share(patterns.front().withinWhole, limits.whole);
  return result;
}

}  // namespace tcpscope
