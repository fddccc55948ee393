// One tracepoint on all processors: what every source of tracepoint events needs to open and to poll it.
//
// Needs the right to trace: root, or CAP_PERFMON with CAP_DAC_READ_SEARCH for tracefs. Events come from every network
// namespace of the host and do not report which: connections are matched by their addresses alone.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "collectors/source/collector.h"
#include "collectors/tracepoint/perf_ring.h"
#include "core/host/capability.h"

namespace tcpscope {

inline constexpr std::string_view kTracefs = "/sys/kernel/tracing";

/// The description of an event such as "tcp/tcp_retransmit_skb".
Expected<std::string, CapabilityReason> readEventFormat(const std::filesystem::path& tracefs, std::string_view event);

class EventRings {
public:
  static Expected<EventRings, CapabilityReason> open(std::uint64_t event);

  /// Every record since the last call, in order per processor; returns how many the kernel lost.
  std::uint64_t drain(const TraceRecordSink& sink);
  /// Calls `poll` four times a second, and whenever a ring fills up, until a stop is requested.
  void pollUntil(const std::stop_token& stop, RequestSource& requests, const std::function<void()>& poll) const;

private:
  explicit EventRings(std::vector<PerfRing> rings) : m_rings(std::move(rings)) {}

  std::vector<PerfRing> m_rings;
};

}  // namespace tcpscope
