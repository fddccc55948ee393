// What TCP remembers of destinations, by generic netlink's family "tcp_metrics" (include/uapi/linux/tcp_metrics.h).
// Needs no right; it is the caller's network namespace.
#pragma once

#include <span>

#include "collectors/host/host_access.h"
#include "core/host/host_reading.h"

namespace tcpscope {

/// One destination of the dump.
struct TcpMetricsEntry {
  /// In segments; absent where none is remembered.
  std::optional<std::uint32_t> threshold{};
};

/// Nothing for bytes that are no such message. `payload` is without the netlink header.
std::optional<TcpMetricsEntry> decodeTcpMetrics(std::span<const std::byte> payload);

/// The number of a family from the answer about it (include/uapi/linux/genetlink.h).
std::optional<std::uint16_t> decodeFamilyNumber(std::span<const std::byte> payload);

/// Counts at most as many destinations as QuestionLimits allow.
Reported<TcpMetricsReading> readTcpMetrics(const HostAccess& access);

}  // namespace tcpscope
