#include "collectors/sock_diag/segment_counters.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "collectors/system/kernel_counters.h"

namespace tcpscope {

SegmentCounters SegmentCounters::in(const NetworkNamespace& where) {
  auto opened = openInNamespace(where, "/proc/self/net/snmp");
  return SegmentCounters(opened ? std::move(*opened) : OwnedDescriptor());
}

std::optional<std::uint64_t> SegmentCounters::segments() const {
  if (!m_counters) return std::nullopt;
  // Each reading from its start has the counters of that moment.
  std::array<char, 8192> text{};
  const ssize_t size = pread(m_counters.get(), text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  // Those sent do not have the retransmitted ones among them.
  constexpr std::array kSegments = {std::string_view("InSegs"), std::string_view("OutSegs"),
                                    std::string_view("RetransSegs")};
  std::uint64_t sum = 0;
  std::size_t found = 0;
  for (const KernelCounter& counter : kernelCounters({text.data(), static_cast<std::size_t>(size)}, "Tcp:")) {
    if (std::find(kSegments.begin(), kSegments.end(), counter.name) == kSegments.end()) continue;
    sum += counter.value;
    ++found;
  }
  return found == kSegments.size() ? std::optional(sum) : std::nullopt;
}

bool SegmentCounters::stoodStill() {
  const std::optional<std::uint64_t> before = std::exchange(m_last, segments());
  return before && before == m_last;
}

}  // namespace tcpscope
