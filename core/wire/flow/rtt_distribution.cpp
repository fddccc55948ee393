#include "core/wire/flow/rtt_distribution.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace tcpscope {

namespace {

constexpr std::size_t kExactSamples = 64;
/// Room for what a short connection has, in one piece.
constexpr std::size_t kFirstSamples = 8;
constexpr unsigned kCellsPerOctaveBits = 4;
constexpr std::uint64_t kCellsPerOctave = 1U << kCellsPerOctaveBits;
/// Up to 2^10 ns lies in the first cells, from 2^43 ns (2.4 h) on in the last.
constexpr unsigned kFirstOctave = 10;
constexpr unsigned kLastOctave = 43;
constexpr std::size_t kCells = (kLastOctave - kFirstOctave) * kCellsPerOctave;

std::size_t cellOf(std::uint64_t nanoseconds) {
  const std::uint64_t bounded =
      std::clamp(nanoseconds, std::uint64_t{1} << kFirstOctave, (std::uint64_t{1} << kLastOctave) - 1);
  // Octaves above the first.
  const auto octave = static_cast<unsigned>(std::bit_width(bounded >> (kFirstOctave + 1)));
  const std::uint64_t within = bounded >> (kFirstOctave - kCellsPerOctaveBits + octave) & (kCellsPerOctave - 1);
  return octave * kCellsPerOctave + within;
}

std::uint64_t middleOf(std::size_t cell) {
  const auto octave = kFirstOctave + static_cast<unsigned>(cell >> kCellsPerOctaveBits);
  const std::uint64_t width = std::uint64_t{1} << (octave - kCellsPerOctaveBits);
  return (kCellsPerOctave + (cell & (kCellsPerOctave - 1))) * width + width / 2;
}

}  // namespace

void RttDistribution::add(Nanoseconds sample) {
  if (m_count == 0) {
    m_min = sample;
    m_max = sample;
  }
  m_min = std::min(m_min, sample);
  m_max = std::max(m_max, sample);
  if (m_count == kExactSamples) beginCounting();
  const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(sample.count(), 0));
  if (m_count < kExactSamples) {
    if (m_cells.empty()) m_cells.reserve(kFirstSamples);
    m_cells.push_back(value);
  } else {
    ++m_cells[cellOf(value)];
  }
  ++m_count;
}

std::optional<Nanoseconds> RttDistribution::min() const {
  return m_count == 0 ? std::nullopt : std::optional(m_min);
}

std::optional<Nanoseconds> RttDistribution::max() const {
  return m_count == 0 ? std::nullopt : std::optional(m_max);
}

std::optional<Nanoseconds> RttDistribution::quantile(double share) const {
  if (m_count == 0) return std::nullopt;
  const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(m_count - 1);
  return m_count <= kExactSamples ? exactQuantile(position) : countedQuantile(position);
}

void RttDistribution::beginCounting() {
  std::vector<std::uint64_t> counted(kCells);
  for (const std::uint64_t sample : m_cells) ++counted[cellOf(sample)];
  m_cells = std::move(counted);
}

Nanoseconds RttDistribution::exactQuantile(double position) const {
  // A connection has several of these: without an allocation for each.
  std::array<std::uint64_t, kExactSamples> sorted;
  const auto end = std::copy(m_cells.begin(), m_cells.end(), sorted.begin());
  std::sort(sorted.begin(), end);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, m_cells.size() - 1);
  const double step = (position - static_cast<double>(below)) * static_cast<double>(sorted[above] - sorted[below]);
  return Nanoseconds(static_cast<std::int64_t>(sorted[below]) + std::llround(step));
}

Nanoseconds RttDistribution::countedQuantile(double position) const {
  const auto rank = static_cast<std::uint64_t>(position);
  std::uint64_t below = 0;
  std::size_t cell = 0;
  while (cell + 1 < m_cells.size() && below + m_cells[cell] <= rank) below += m_cells[cell++];
  return std::clamp(Nanoseconds(static_cast<std::int64_t>(middleOf(cell))), m_min, m_max);
}

}  // namespace tcpscope
