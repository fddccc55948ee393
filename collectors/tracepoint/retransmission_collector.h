// The source of retransmissions: each segment that this host's kernel retransmits, with its connection and its time,
// from the tracepoint tcp:tcp_retransmit_skb (Linux 4.15). Needs the right to trace (event_rings.h).
#pragma once

#include <filesystem>
#include <memory>

#include "collectors/source/collector.h"
#include "collectors/tracepoint/event_rings.h"
#include "collectors/tracepoint/retransmit_event.h"

namespace tcpscope {

class RetransmissionCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"tcp_retransmit_skb", "every retransmitted segment"};

  /// Fails with the reason why it cannot work here.
  static Expected<std::unique_ptr<RetransmissionCollector>, CapabilityReason> open(
      PlaceId place, const std::filesystem::path& tracefs = kTracefs);

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;
  /// One poll of the rings.
  void collect(const ObservationSink& sink);

private:
  RetransmissionCollector(PlaceId place, const RetransmitLayout& layout, EventRings rings)
      : m_place(place), m_layout(layout), m_rings(std::move(rings)) {}

  PlaceId m_place;
  RetransmitLayout m_layout;
  EventRings m_rings;
  std::uint64_t m_lost = 0;
};

}  // namespace tcpscope
