#include "ui/plots/xy_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/plots/axis_tickers.h"

namespace tcpscope {

namespace {

constexpr double kMostSteps = 8.0;
/// Of the largest value: spans between these do not begin at zero. Less is nearly a constant, which its size shows
/// best.
constexpr double kNearlyConstant = 0.05;
constexpr double kFarFromZero = 0.5;
/// Of the axis: what is shown fills at least this much, or the axis is fitted again.
constexpr double kFilled = 0.5;
constexpr double kKibi = 1024.0;
constexpr std::array kByteUnits = {"B", "KiB", "MiB", "GiB", "TiB"};

/// Of the unit in which all labels of an axis up to `largest` are.
std::size_t bytePrefix(double largest) {
  std::size_t prefix = 0;
  while (prefix + 1 < kByteUnits.size() && largest >= std::pow(kKibi, static_cast<double>(prefix + 1))) ++prefix;
  return prefix;
}

/// The smallest 1-2-5 step that is not below `value`.
double roundStep(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (const double mantissa : {1.0, 2.0, 5.0}) {
    if (mantissa * decade >= value * (1.0 - 1e-9)) return mantissa * decade;
  }
  return 10.0 * decade;
}

}  // namespace

void XyAxis::adapt(double smallest, double largest) {
  if (std::isnan(smallest) || std::isnan(largest)) return;
  const double spread = largest - smallest;
  const bool isFarFromZero = smallest >= 0.0 && spread >= largest * kNearlyConstant && spread < largest * kFarFromZero;
  const double low = isFarFromZero ? smallest : std::min(smallest, 0.0);
  const bool isInside = smallest >= m_from && largest <= m_to;
  const bool isFilled = largest - low >= (m_to - m_from) * kFilled;
  if (m_isFitted && isInside && isFilled) return;
  // Zero alone has an axis as well.
  const double span = std::max({largest - low, std::abs(largest) * 1e-3, 1e-3});
  m_prefix = m_unit == MetricUnit::bytes ? bytePrefix(std::abs(largest)) : 0;
  const double unit = std::pow(kKibi, static_cast<double>(m_prefix));
  m_step = roundStep(span / unit / kMostSteps) * unit;
  m_from = std::floor(low / m_step + 1e-9) * m_step;
  m_to = std::max(std::ceil(largest / m_step - 1e-9) * m_step, m_from + m_step);
  m_isFitted = true;
}

QString XyAxis::label(double tick) const {
  if (m_unit != MetricUnit::bytes) return valueLabel(m_unit, tick);
  const double value = tick / std::pow(kKibi, static_cast<double>(m_prefix));
  return QStringLiteral("%1 %2")
      .arg(std::round(value * 1e6) / 1e6, 0, 'g', 6)
      .arg(QLatin1String(kByteUnits.at(m_prefix)));
}

}  // namespace tcpscope
