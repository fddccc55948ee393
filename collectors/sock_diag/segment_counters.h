// The TCP segments of a network namespace, counted by its /proc/net/snmp (RFC 4022). Reading them costs some 20 µs; a
// dump of its sockets costs 600 to 1,200, because the kernel walks the sockets of all namespaces for it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "collectors/sock_diag/network_namespace.h"

namespace tcpscope {

class SegmentCounters {
public:
  /// Of no namespace.
  SegmentCounters() = default;
  /// The same without the right to enter, or without /proc.
  static SegmentCounters in(const NetworkNamespace& where);

  /// No segment came or left since the last call; false where that is not known.
  bool stoodStill();

private:
  explicit SegmentCounters(OwnedDescriptor counters) : m_counters(std::move(counters)) {}
  /// How many came or left so far; nothing where the counters cannot be read.
  [[nodiscard]] std::optional<std::uint64_t> segments() const;

  OwnedDescriptor m_counters;
  std::optional<std::uint64_t> m_last;
};

}  // namespace tcpscope
