#include "tests/support/stolen_time.h"

#include <fstream>
#include <string>

namespace tcpscope::test {

StolenTime::StolenTime() : m_start(now()) {}

StolenTime::Ticks StolenTime::now() {
  std::ifstream file("/proc/stat");
  std::string name;
  file >> name;
  constexpr int kSteal = 7;
  Ticks ticks;
  // user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user time.
  for (int column = 0; column <= kSteal; ++column) {
    std::uint64_t value = 0;
    if (!(file >> value)) return {};
    ticks.all += value;
    if (column == kSteal) ticks.stolen = value;
  }
  return ticks;
}

double StolenTime::ratio() const {
  const Ticks end = now();
  if (end.all <= m_start.all || end.stolen < m_start.stolen) return 0.0;
  return static_cast<double>(end.stolen - m_start.stolen) / static_cast<double>(end.all - m_start.all);
}

}  // namespace tcpscope::test
