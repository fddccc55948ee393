#include "collectors/sock_diag/namespace_activity.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "collectors/system/kernel_counters.h"

namespace tcpscope {

std::optional<ActivityWatch::Counts> ActivityWatch::countsIn(std::string_view text) {
  constexpr std::array kOpens = {std::string_view("ActiveOpens"), std::string_view("PassiveOpens")};
  // Those sent do not have the retransmitted ones among them.
  constexpr std::array kSegments = {std::string_view("InSegs"), std::string_view("OutSegs"),
                                    std::string_view("RetransSegs")};
  const auto isIn = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Counts counts;
  std::size_t found = 0;
  for (const KernelCounter& counter : kernelCounters(text, "Tcp:")) {
    const bool isOpen = isIn(kOpens, counter.name);
    const bool isSegment = isIn(kSegments, counter.name);
    if (isOpen) counts.opened += counter.value;
    if (isSegment) counts.segments += counter.value;
    if (isOpen || isSegment) ++found;
  }
  return found == kOpens.size() + kSegments.size() ? std::optional(counts) : std::nullopt;
}

ActivityWatch ActivityWatch::in(const NetworkNamespace& where) {
  auto opened = openInNamespace(where, "/proc/self/net/snmp");
  return ActivityWatch(opened ? std::move(*opened) : OwnedDescriptor());
}

std::optional<ActivityWatch::Counts> ActivityWatch::read() const {
  if (!m_counters) return std::nullopt;
  // Each reading from its start has the counters of that moment.
  std::array<char, 8192> text{};
  const ssize_t size = pread(m_counters.get(), text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  return countsIn(std::string_view(text.data(), static_cast<std::size_t>(size)));
}

NamespaceActivity ActivityWatch::sample() {
  const std::optional<Counts> before = std::exchange(m_last, read());
  if (!before || !m_last) return NamespaceActivity::unknown;
  if (m_last->opened != before->opened) return NamespaceActivity::opened;
  return *m_last == *before ? NamespaceActivity::quiet : NamespaceActivity::segments;
}

}  // namespace tcpscope
