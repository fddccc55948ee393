// Counters as the kernel prints them in /proc/net/snmp and netstat: a line of names, then a line of values, each behind
// the name of the protocol.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tcpscope {

struct KernelCounter {
  /// Part of the text.
  std::string_view name;
  std::uint64_t value = 0;
};

/// Those of a protocol ("Tcp:", "TcpExt:"); a value that is no counter is left out.
std::vector<KernelCounter> kernelCounters(std::string_view text, std::string_view protocol);

}  // namespace tcpscope
