// The collector of retransmissions: each segment that this host's kernel sends again, with its connection and its time,
// by the tracepoint tcp:tcp_retransmit_skb (Linux 4.15).
//
// Only who may trace gets it: root, or a process with CAP_PERFMON and CAP_DAC_READ_SEARCH. Events come from every
// network namespace and do not say which: connections are told apart by their ends alone.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "collectors/source/collector.h"
#include "collectors/tracepoint/perf_ring.h"
#include "collectors/tracepoint/retransmit_event.h"
#include "core/host/capability.h"

namespace tcpscope {

class RetransmissionCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"tcp_retransmit_skb", "each segment that is sent again"};

  /// Fails with what stands in the way.
  static Expected<std::unique_ptr<RetransmissionCollector>, CapabilityReason> open(
      PlaceId place, const std::filesystem::path& tracefs = "/sys/kernel/tracing");

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;
  /// One look, of which `run` takes some a second.
  void collect(const ObservationSink& sink);

private:
  RetransmissionCollector(PlaceId place, const RetransmitLayout& layout, std::vector<PerfRing> rings)
      : m_place(place), m_layout(layout), m_rings(std::move(rings)) {}

  PlaceId m_place;
  RetransmitLayout m_layout;
  std::vector<PerfRing> m_rings;
  std::uint64_t m_lost = 0;
};

}  // namespace tcpscope
