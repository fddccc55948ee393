#include "core/model/counted_rate.h"

#include <algorithm>

namespace tcpscope {

std::vector<double> bitRateSteps(const ConnectionHistory& history, Metric bytes, Moment from, Moment to,
                                 Nanoseconds step) {
  std::vector<double> rates;
  if (history.empty() || step <= Nanoseconds(0)) return rates;
  const Moment end = std::min(to, *history.lastTime());
  Moment begin = std::max(from, *history.firstTime());
  auto counted = history.valueAt(bytes, begin);
  for (; begin + step <= end; begin = begin + step) {
    const auto next = history.valueAt(bytes, begin + step);
    if (counted && next) rates.push_back((*next - *counted) * kBitsPerByte / toSeconds(step));
    counted = next;
  }
  return rates;
}

}  // namespace tcpscope
