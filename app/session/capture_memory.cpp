#include "app/session/capture_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace tcpscope {

std::optional<std::size_t> availableMemory(std::string_view meminfo) {
  constexpr std::string_view kKey = "MemAvailable:";
  const std::size_t at = meminfo.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = meminfo.substr(at + kKey.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  std::size_t kibibytes = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), kibibytes);
  if (error != std::errc()) return std::nullopt;
  return kibibytes << 10U;
}

std::size_t captureMemory() {
  constexpr std::size_t kMost = std::size_t{2} << 30U;
  std::ifstream file("/proc/meminfo");
  // The kernel names it in one of the first lines.
  std::optional<std::size_t> available;
  for (std::string line; !available && std::getline(file, line);) available = availableMemory(line);
  return std::min(kMost, available.value_or(2 * kMost) / 2);
}

}  // namespace tcpscope
