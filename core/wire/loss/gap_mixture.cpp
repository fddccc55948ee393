#include "core/wire/loss/gap_mixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tcpscope {

namespace {

/// Share of the short gaps, and the probability of each kind to go on by another packet.
struct Mixture {
  double shortShare = 0.5;
  double shortGoesOn = 0.0;
  double longGoesOn = 0.9;
};

/// Good to bad, bad to good, loss in bad.
using States = std::array<double, 3>;
using Matrix = std::array<States, 3>;

/// Of one kind, for many gaps: a logarithm once instead of a power for each.
class Geometric {
public:
  explicit Geometric(double goesOn) : m_goesOn(goesOn), m_logGoesOn(goesOn > 0.0 ? std::log(goesOn) : 0.0) {}
  [[nodiscard]] double of(double packets) const {
    const double more = packets - 1.0;
    return (1.0 - m_goesOn) * (m_goesOn > 0.0 ? std::exp(m_logGoesOn * more) : std::pow(m_goesOn, more));
  }

private:
  double m_goesOn;
  double m_logGoesOn;
};

/// The probabilities of both kinds, each with its share.
class MixtureOfGaps {
public:
  explicit MixtureOfGaps(const Mixture& mixture)
      : m_shortShare(mixture.shortShare), m_short(mixture.shortGoesOn), m_long(mixture.longGoesOn) {}
  [[nodiscard]] double shortPart(double packets) const { return m_shortShare * m_short.of(packets); }
  [[nodiscard]] double longPart(double packets) const { return (1.0 - m_shortShare) * m_long.of(packets); }
  [[nodiscard]] double of(double packets) const { return shortPart(packets) + longPart(packets); }

private:
  double m_shortShare;
  Geometric m_short;
  Geometric m_long;
};

double logLikelihood(const GapCounts& gaps, const Mixture& mixture) {
  const MixtureOfGaps probability(mixture);
  double sum = 0.0;
  for (const GapCount& gap : gaps) sum += gap.count * std::log(std::max(probability.of(gap.packets), 1e-300));
  return sum;
}

struct Weight {
  double gaps = 0.0;
  double packets = 0.0;

  void add(const GapCount& gap, double part) {
    gaps += gap.count * part;
    packets += gap.count * part * gap.packets;
  }
  [[nodiscard]] double goesOn() const { return packets > 0.0 ? 1.0 - gaps / packets : 0.0; }
};

/// One step of expectation maximisation.
Mixture improved(const GapCounts& gaps, const Mixture& mixture) {
  const MixtureOfGaps probability(mixture);
  Weight shorter;
  Weight longer;
  for (const GapCount& gap : gaps) {
    const double ofShort = probability.shortPart(gap.packets);
    const double part = ofShort / std::max(ofShort + probability.longPart(gap.packets), 1e-300);
    shorter.add(gap, part);
    longer.add(gap, 1.0 - part);
  }
  return {shorter.gaps / (shorter.gaps + longer.gaps), shorter.goesOn(), longer.goesOn()};
}

Mixture fitMixture(const GapCounts& gaps) {
  constexpr int kSteps = 500;
  constexpr double kStill = 1e-10;
  Weight all;
  for (const GapCount& gap : gaps) all.add(gap, 1.0);
  Mixture mixture{0.5, all.goesOn() / 2.0, 1.0 - (1.0 - all.goesOn()) / 2.0};
  for (int step = 0; step < kSteps; ++step) {
    const Mixture next = improved(gaps, mixture);
    const double moved = std::abs(next.shortShare - mixture.shortShare) +
                         std::abs(next.shortGoesOn - mixture.shortGoesOn) +
                         std::abs(next.longGoesOn - mixture.longGoesOn);
    mixture = next;
    if (moved < kStill) break;
  }
  return mixture;
}

/// Of gaps where neighbours are of one visit to a bad state that loses everything.
double logLikelihoodOfVisibleStates(const GapCounts& gaps) {
  double neighbours = 0.0;
  Weight others;
  for (const GapCount& gap : gaps) {
    if (gap.packets == 1.0) {
      neighbours += gap.count;
    } else {
      others.add({gap.packets - 1.0, gap.count}, 1.0);
    }
  }
  const double all = neighbours + others.gaps;
  double sum = neighbours > 0.0 ? neighbours * std::log(neighbours / all) : 0.0;
  if (others.gaps == 0.0) return sum;
  const double goesOn = others.goesOn();
  sum += others.gaps * (std::log(others.gaps / all) + std::log(1.0 - goesOn));
  if (goesOn > 0.0) sum += (others.packets - others.gaps) * std::log(goesOn);
  return sum;
}

/// With the moves between lossless packets as a matrix, the mixture's two ratios are its eigenvalues: their sum and
/// product, and the share of neighbours, give the three parameters.
States statesOf(const Mixture& mixture) {
  const double neighbours = MixtureOfGaps(mixture).of(1.0);
  const double bothMoves = 2.0 - neighbours - mixture.shortGoesOn - mixture.longGoesOn;
  const double lossInBad = 1.0 - mixture.shortGoesOn * mixture.longGoesOn / (1.0 - bothMoves);
  const double badToGood = 1.0 - neighbours / lossInBad;
  return {bothMoves - badToGood, badToGood, lossInBad};
}

Mixture mixtureOf(const States& states) {
  const auto [goodToBad, badToGood, lossInBad] = states;
  const double neighbours = (1.0 - badToGood) * lossInBad;
  const double sum = 2.0 - goodToBad - badToGood - neighbours;
  const double product = (1.0 - lossInBad) * (1.0 - goodToBad - badToGood);
  const double root = std::sqrt(std::max(sum * sum / 4.0 - product, 0.0));
  const double shortGoesOn = sum / 2.0 - root;
  const double longGoesOn = sum / 2.0 + root;
  const double apart = longGoesOn - shortGoesOn;
  return {apart > 0.0 ? (neighbours - (1.0 - longGoesOn)) / apart : 0.0, shortGoesOn, longGoesOn};
}

/// Sum of the squared slopes of each gap's log-likelihood: Fisher's information.
Matrix informationOf(const GapCounts& gaps, const States& states) {
  constexpr double kStep = 1e-4;
  std::vector<MixtureOfGaps> above;
  std::vector<MixtureOfGaps> below;
  States distance{};
  for (std::size_t which = 0; which < states.size(); ++which) {
    const double step = kStep * std::min(states[which], 1.0 - states[which]);
    States moved = states;
    moved[which] = states[which] + step;
    above.emplace_back(mixtureOf(moved));
    moved[which] = states[which] - step;
    below.emplace_back(mixtureOf(moved));
    distance[which] = 2.0 * step;
  }
  Matrix information{};
  for (const GapCount& gap : gaps) {
    States slope{};
    for (std::size_t which = 0; which < slope.size(); ++which) {
      slope[which] = std::log(above[which].of(gap.packets) / below[which].of(gap.packets)) / distance[which];
    }
    for (std::size_t row = 0; row < slope.size(); ++row) {
      for (std::size_t column = 0; column < slope.size(); ++column) {
        information[row][column] += gap.count * slope[row] * slope[column];
      }
    }
  }
  return information;
}

/// Square roots of the inverse's diagonal, by cofactors; nothing where the gaps do not determine the parameters.
std::optional<States> errorsFrom(const Matrix& matrix) {
  States cofactors{};
  for (std::size_t which = 0; which < cofactors.size(); ++which) {
    const std::size_t one = (which + 1) % 3;
    const std::size_t two = (which + 2) % 3;
    cofactors[which] = matrix[one][one] * matrix[two][two] - matrix[one][two] * matrix[two][one];
  }
  const double determinant = matrix[0][0] * cofactors[0] +
                             matrix[0][1] * (matrix[1][2] * matrix[2][0] - matrix[1][0] * matrix[2][2]) +
                             matrix[0][2] * (matrix[1][0] * matrix[2][1] - matrix[1][1] * matrix[2][0]);
  States errors{};
  for (std::size_t which = 0; which < errors.size(); ++which) {
    const double variance = cofactors[which] / determinant;
    if (!std::isfinite(variance) || variance <= 0.0) return std::nullopt;
    errors[which] = std::sqrt(variance);
  }
  return errors;
}

}  // namespace

std::optional<HiddenStates> fitHiddenStates(const GapCounts& gaps) {
  // Twice the difference of the log-likelihoods, for one more parameter at the end of its range: 5 %.
  constexpr double kClearlyBetter = 2.71;
  constexpr double kLosesAll = 0.99;
  const Mixture mixture = fitMixture(gaps);
  if (2.0 * (logLikelihood(gaps, mixture) - logLikelihoodOfVisibleStates(gaps)) < kClearlyBetter) return std::nullopt;
  const States states = statesOf(mixture);
  const bool isModel =
      std::all_of(states.begin(), states.end(), [](double value) { return value > 0.0 && value < 1.0; });
  if (!isModel || states[2] > kLosesAll) return std::nullopt;
  const auto errors = errorsFrom(informationOf(gaps, states));
  if (!errors) return std::nullopt;
  return HiddenStates{{states[0], (*errors)[0]}, {states[1], (*errors)[1]}, {states[2], (*errors)[2]}};
}

}  // namespace tcpscope
