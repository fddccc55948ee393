#include "core/base/proportion.h"

#include <boost/math/distributions/beta.hpp>
#include <cmath>

namespace tcpscope {

std::optional<Interval> proportionInterval95(std::uint64_t happened, std::uint64_t trials) {
  if (trials == 0 || happened > trials) return std::nullopt;
  constexpr double kOneTail = 0.05;
  constexpr double kTail = kOneTail / 2.0;
  const auto yes = static_cast<double>(happened);
  const auto no = static_cast<double>(trials - happened);
  const double whole = std::pow(kOneTail, 1.0 / static_cast<double>(trials));
  if (happened == 0) return Interval{0.0, 1.0 - whole};
  if (happened == trials) return Interval{whole, 1.0};
  const boost::math::beta_distribution<> lower(yes, no + 1.0);
  const boost::math::beta_distribution<> upper(yes + 1.0, no);
  return Interval{boost::math::quantile(lower, kTail), boost::math::quantile(boost::math::complement(upper, kTail))};
}

}  // namespace tcpscope
