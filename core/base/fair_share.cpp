#include "core/base/fair_share.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// All flows grow together; a flow that reaches its demand or a full link stops growing.
class Filling {
public:
  Filling(std::span<const SharingFlow> flows, std::span<const double> capacities)
      : m_flows(flows), m_left(capacities.begin(), capacities.end()), m_fixed(flows.size(), false) {}

  std::vector<double> run() {
    std::vector<double> shares(m_flows.size(), std::numeric_limits<double>::infinity());
    double level = 0.0;
    while (std::find(m_fixed.begin(), m_fixed.end(), false) != m_fixed.end()) {
      const double step = largestStep(level);
      if (step == std::numeric_limits<double>::infinity()) break;
      level += step;
      take(step);
      fixThoseAtTheirEnd(level, shares);
    }
    return shares;
  }

private:
  [[nodiscard]] std::size_t growingOn(std::size_t link) const {
    std::size_t count = 0;
    for (std::size_t flow = 0; flow < m_flows.size(); ++flow) {
      const auto& links = m_flows[flow].links;
      if (!m_fixed[flow] && std::find(links.begin(), links.end(), link) != links.end()) ++count;
    }
    return count;
  }
  [[nodiscard]] double largestStep(double level) const {
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t flow = 0; flow < m_flows.size(); ++flow) {
      if (!m_fixed[flow]) step = std::min(step, m_flows[flow].demandBps - level);
    }
    for (std::size_t link = 0; link < m_left.size(); ++link) {
      const std::size_t growing = growingOn(link);
      if (growing > 0) step = std::min(step, m_left[link] / static_cast<double>(growing));
    }
    return std::max(step, 0.0);
  }
  void take(double step) {
    for (std::size_t link = 0; link < m_left.size(); ++link) {
      m_left[link] -= step * static_cast<double>(growingOn(link));
    }
  }
  void fixThoseAtTheirEnd(double level, std::vector<double>& shares) {
    // Rounding must not leave a trace of room that never fills.
    constexpr double kFull = 1e-6;
    std::vector<bool> fixed = m_fixed;
    for (std::size_t flow = 0; flow < m_flows.size(); ++flow) {
      if (m_fixed[flow]) continue;
      const auto& links = m_flows[flow].links;
      const bool full =
          std::any_of(links.begin(), links.end(), [&](std::size_t link) { return m_left[link] <= kFull; });
      if (!full && m_flows[flow].demandBps - level > kFull) continue;
      shares[flow] = level;
      fixed[flow] = true;
    }
    m_fixed = fixed;
  }

  std::span<const SharingFlow> m_flows;
  std::vector<double> m_left;
  std::vector<bool> m_fixed;
};

}  // namespace

std::vector<double> maxMinFairShares(std::span<const SharingFlow> flows, std::span<const double> capacities) {
  return Filling(flows, capacities).run();
}

double jainFairness(std::span<const double> values) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  if (squares <= 0.0) return std::numeric_limits<double>::quiet_NaN();
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

}  // namespace tcpscope
