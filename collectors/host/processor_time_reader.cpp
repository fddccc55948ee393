#include "collectors/host/processor_time_reader.h"

#include <fstream>
#include <sstream>
#include <string>

namespace tcpscope {

/// "cpu0 user nice system idle iowait irq softirq steal"; what follows is in these already.
ProcessorTimes readProcessorTimes(const std::filesystem::path& root) {
  constexpr std::string_view kPrefix = "cpu";
  constexpr std::size_t kSoftirq = 6;
  constexpr std::size_t kColumns = 8;
  ProcessorTimes times;
  std::ifstream file(root / "proc/stat");
  for (std::string line; std::getline(file, line) && line.starts_with(kPrefix);) {
    std::istringstream words(line.substr(kPrefix.size()));
    std::uint32_t processor = 0;
    // The sum of all has no number.
    if (line.size() <= kPrefix.size() || line[kPrefix.size()] == ' ' || !(words >> processor)) continue;
    ProcessorTime time;
    std::uint64_t ticks = 0;
    for (std::size_t column = 0; column < kColumns && words >> ticks; ++column) {
      time.all += ticks;
      if (column == kSoftirq) time.softirq = ticks;
    }
    if (words) times[processor] = time;
  }
  return times;
}

}  // namespace tcpscope
