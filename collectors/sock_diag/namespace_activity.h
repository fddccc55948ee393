// What the TCP of a network namespace did since the last sample of them, from its counters (RFC 4022) in
// /proc/net/snmp: reading them costs 20 µs, a dump of its sockets at least 600, because the kernel walks the sockets of
// all namespaces for it.
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
  /// Segments, but no connection was begun or accepted.
  segments,
  /// A connection was begun or accepted.
  opened,
};

class ActivityWatch {
public:
  /// Each sample says unknown.
  ActivityWatch() = default;
  /// The same without the right to enter, or without /proc.
  static ActivityWatch in(const NetworkNamespace& where);

  NamespaceActivity sample();

private:
  /// The counters that say what happened.
  struct Counts {
    std::uint64_t opened = 0;
    std::uint64_t segments = 0;

    bool operator==(const Counts&) const = default;
  };

  explicit ActivityWatch(OwnedDescriptor counters) : m_counters(std::move(counters)) {}
  static std::optional<Counts> countsIn(std::string_view text);
  [[nodiscard]] std::optional<Counts> read() const;

  OwnedDescriptor m_counters;
  std::optional<Counts> m_last;
};

}  // namespace tcpscope
