// The TCP counters of a network namespace (/proc/net/snmp, RFC 4022): whether its sockets have to be asked for.
// Reading them costs some 20 µs; a dump of its sockets costs 600 to 1,200, because the kernel walks the sockets of all
// namespaces for it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "collectors/sock_diag/network_namespace.h"

namespace tcpscope {

/// Since the namespace exists, modulo 2^64.
struct SegmentCounts {
  /// Retransmitted ones, too.
  std::uint64_t sent = 0;
  /// Several that the kernel merged (GRO) are one.
  std::uint64_t received = 0;

  bool operator==(const SegmentCounts&) const = default;
};

class NamespaceCounters {
public:
  /// False where it is not known.
  struct SinceLast {
    /// No segment came or left.
    bool nothingMoved = false;
    /// No connection was opened or accepted. Listeners and half-open connections are not counted.
    bool nothingOpened = false;
  };

  /// Of no namespace.
  NamespaceCounters() = default;
  /// The same without the right to enter, or without /proc.
  static NamespaceCounters in(const NetworkNamespace& where);

  /// Since the last call.
  SinceLast sinceLast();
  /// As at that call, and now; nothing where they are not known.
  [[nodiscard]] std::optional<SegmentCounts> lastSegments() const;
  [[nodiscard]] std::optional<SegmentCounts> segmentsNow() const;

private:
  struct Counters {
    SegmentCounts segments;
    std::uint64_t openings = 0;
  };

  explicit NamespaceCounters(OwnedDescriptor counters) : m_counters(std::move(counters)) {}
  /// Nothing where they cannot be read.
  [[nodiscard]] std::optional<Counters> read() const;

  OwnedDescriptor m_counters;
  std::optional<Counters> m_last;
};

}  // namespace tcpscope
