#include "app/lab/path/lateness.h"

#include <algorithm>

namespace tcpscope::lab {

void Lateness::add(Nanoseconds late) {
  const auto microseconds = static_cast<std::size_t>(std::max<Nanoseconds::rep>(late.count(), 0) / 1000);
  ++m_counts[std::min(microseconds, kClasses - 1)];
  ++m_packets;
  m_worst = std::max(m_worst, late);
}

Nanoseconds Lateness::quantile(double share) const {
  const double wanted = share * static_cast<double>(m_packets);
  std::uint64_t packets = 0;
  for (std::size_t index = 0; index + 1 < kClasses; ++index) {
    packets += m_counts[index];
    if (static_cast<double>(packets) >= wanted) return std::min(m_worst, Nanoseconds(Microseconds(index + 1)));
  }
  return m_worst;
}

}  // namespace tcpscope::lab
