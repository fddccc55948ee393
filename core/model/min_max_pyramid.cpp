#include "core/model/min_max_pyramid.h"

#include <algorithm>
#include <cmath>

#include "core/base/prefetch.h"

namespace tcpscope {

void MinMaxPyramid::append(double value) {
  std::size_t index = m_values.size();
  m_values.push_back(value);
  for (std::size_t level = 0;; ++level) {
    index /= kFanOut;
    if (level == m_levels.size()) {
      // A level of one block would answer nothing that the one below does not: it begins with its second block.
      if (index == 0) return;
      m_levels.push_back({firstBlock(level)});
    }
    std::vector<MinMax>& blocks = m_levels[level];
    if (index == blocks.size()) blocks.emplace_back();
    blocks[index].add({value, value});
  }
}

MinMax MinMaxPyramid::firstBlock(std::size_t level) const {
  MinMax block;
  for (std::size_t index = 0; index < kFanOut; ++index)
    block.add(level == 0 ? MinMax{m_values[index], m_values[index]} : m_levels[level - 1][index]);
  return block;
}

MinMax MinMaxPyramid::extremes(std::size_t from, std::size_t to) const {
  MinMax result;
  const auto addValue = [&](std::size_t index) { result.add({m_values[index], m_values[index]}); };
  for (; from < to && from % kFanOut != 0; ++from) addValue(from);
  for (; from < to && (to % kFanOut != 0 || m_levels.empty()); --to) addValue(to - 1);
  for (std::size_t level = 0; from < to; ++level) {
    from /= kFanOut;
    to /= kFanOut;
    const std::vector<MinMax>& blocks = m_levels[level];
    const bool isTop = level + 1 == m_levels.size();
    for (; from < to && (from % kFanOut != 0 || isTop); ++from) result.add(blocks[from]);
    for (; from < to && to % kFanOut != 0; --to) result.add(blocks[to - 1]);
  }
  return result;
}

void MinMaxPyramid::prefetch(std::size_t index) const {
  // Levels above the first are small enough to be in the cache.
  const auto group = [](const auto& items, std::size_t at) {
    const std::size_t from = at / kFanOut * kFanOut;
    if (from >= items.size()) return;
    tcpscope::prefetch(&items[from], std::min(kFanOut, items.size() - from) * sizeof(items[from]));
  };
  group(m_values, index);
  if (!m_levels.empty()) group(m_levels.front(), index / kFanOut);
}

double MinMaxPyramid::last(std::size_t from, std::size_t to) const {
  for (; to > from; --to) {
    if (!std::isnan(m_values[to - 1])) return m_values[to - 1];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tcpscope
