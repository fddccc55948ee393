// What the TCP of a network namespace did since the last sample of them, from its counters (RFC 4022) in
// /proc/net/snmp: reading them costs some 20 µs, a dump of its sockets 600 to 1,200, because the kernel walks the
// sockets of all namespaces for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collectors/sock_diag/network_namespace.h"

namespace tcpscope {

enum class NamespaceActivity : std::uint8_t {
  /// No sample before this one, or the counters cannot be read.
  unknown,
  /// No segment came or left. What needs none may have changed all the same: an application that read or wrote, a
  /// listener.
  quiet,
  /// Segments came or left.
  busy,
};

class ActivityWatch {
public:
  /// Each sample says unknown.
  ActivityWatch() = default;
  /// The same without the right to enter, or without /proc.
  static ActivityWatch in(const NetworkNamespace& where);

  NamespaceActivity sample();

private:
  explicit ActivityWatch(OwnedDescriptor counters) : m_counters(std::move(counters)) {}
  /// How many segments came or left so far; nothing where the counters cannot be read.
  [[nodiscard]] std::optional<std::uint64_t> segments() const;

  OwnedDescriptor m_counters;
  std::optional<std::uint64_t> m_last;
};

}  // namespace tcpscope
