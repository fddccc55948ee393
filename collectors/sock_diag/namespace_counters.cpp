#include "collectors/sock_diag/namespace_counters.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "collectors/system/kernel_counters.h"

namespace tcpscope {

namespace {

/// Nothing where one is missing.
std::optional<std::uint64_t> sumOf(std::span<const std::string_view> names,
                                   const std::vector<KernelCounter>& counters) {
  std::uint64_t sum = 0;
  std::size_t found = 0;
  for (const KernelCounter& counter : counters) {
    if (std::ranges::find(names, counter.name) == names.end()) continue;
    sum += counter.value;
    ++found;
  }
  return found == names.size() ? std::optional(sum) : std::nullopt;
}

}  // namespace

NamespaceCounters NamespaceCounters::in(const NetworkNamespace& where) {
  auto opened = openInNamespace(where, "/proc/self/net/snmp");
  return NamespaceCounters(opened ? std::move(*opened) : OwnedDescriptor());
}

std::optional<NamespaceCounters::Counters> NamespaceCounters::read() const {
  if (!m_counters) return std::nullopt;
  // Each reading from its start has the counters of that moment.
  std::array<char, 8192> text{};
  const ssize_t size = pread(m_counters.get(), text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  const std::vector<KernelCounter> counters = kernelCounters({text.data(), static_cast<std::size_t>(size)}, "Tcp:");
  // OutSegs does not have the retransmitted ones among them.
  constexpr std::array<std::string_view, 2> kSent = {"OutSegs", "RetransSegs"};
  constexpr std::array<std::string_view, 1> kReceived = {"InSegs"};
  constexpr std::array<std::string_view, 2> kOpenings = {"ActiveOpens", "PassiveOpens"};
  const auto sent = sumOf(kSent, counters);
  const auto received = sumOf(kReceived, counters);
  const auto openings = sumOf(kOpenings, counters);
  if (!sent || !received || !openings) return std::nullopt;
  return Counters{{*sent, *received}, *openings};
}

std::optional<SegmentCounts> NamespaceCounters::lastSegments() const {
  return m_last ? std::optional(m_last->segments) : std::nullopt;
}

std::optional<SegmentCounts> NamespaceCounters::segmentsNow() const {
  const std::optional<Counters> now = read();
  return now ? std::optional(now->segments) : std::nullopt;
}

NamespaceCounters::SinceLast NamespaceCounters::sinceLast() {
  const std::optional<Counters> before = std::exchange(m_last, read());
  if (!before || !m_last) return {};
  return {before->segments == m_last->segments, before->openings == m_last->openings};
}

}  // namespace tcpscope
