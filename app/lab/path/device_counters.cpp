#include "app/lab/path/device_counters.h"

#include <unistd.h>

#include <array>
#include <sstream>

namespace tcpscope::lab {

/// "  path0: bytes packets errs drop fifo frame compressed multicast bytes packets errs drop …", received first.
std::optional<std::uint64_t> transmitDropsIn(std::string_view table, std::string_view device) {
  constexpr int kDropColumn = 12;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    const std::size_t start = line.find_first_not_of(' ');
    if (colon == std::string::npos || line.substr(start, colon - start) != device) continue;
    std::istringstream columns(line.substr(colon + 1));
    std::uint64_t value = 0;
    for (int column = 0; column < kDropColumn; ++column) columns >> value;
    return columns ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> readTransmitDrops(int tableDescriptor, std::string_view device) {
  // A namespace of a lab has a handful of devices.
  std::array<char, 16'384> text{};
  const ssize_t size = tableDescriptor >= 0 ? pread(tableDescriptor, text.data(), text.size(), 0) : -1;
  if (size <= 0) return std::nullopt;
  return transmitDropsIn({text.data(), static_cast<std::size_t>(size)}, device);
}

}  // namespace tcpscope::lab
