#include "collectors/tracepoint/retransmission_collector.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

Expected<std::unique_ptr<RetransmissionCollector>, CapabilityReason> RetransmissionCollector::open(
    PlaceId place, const std::filesystem::path& tracefs) {
  const auto text = readEventFormat(tracefs, "tcp/tcp_retransmit_skb");
  if (!text) return Unexpected<CapabilityReason>(text.error());
  const auto layout = parseRetransmitFormat(*text);
  if (!layout) return Unexpected<CapabilityReason>(CapabilityReason::notSupported);
  auto rings = EventRings::open(layout->id);
  if (!rings) return Unexpected<CapabilityReason>(rings.error());
  return std::unique_ptr<RetransmissionCollector>(new RetransmissionCollector(place, *layout, std::move(*rings)));
}

void RetransmissionCollector::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  ObservationBatch first;
  first.place = m_place;
  first.reportsRetransmissions = true;
  sink(std::move(first));
  m_rings.pollUntil(stop, requests, [&] { collect(sink); });
}

void RetransmissionCollector::collect(const ObservationSink& sink) {
  ObservationBatch batch;
  batch.place = m_place;
  batch.reportsRetransmissions = true;
  m_lost += m_rings.drain([&](std::span<const std::byte> record, Moment at) {
    if (auto event = decodeRetransmit(m_layout, record, at)) batch.retransmissions.push_back(*event);
  });
  if (batch.retransmissions.empty()) return;
  std::sort(batch.retransmissions.begin(), batch.retransmissions.end(),
            [](const RetransmissionEvent& a, const RetransmissionEvent& b) { return a.at < b.at; });
  if (m_lost > 0) batch.gaps.push_back({m_place, GapKind::queueFull, m_lost});
  const std::uint64_t events = batch.retransmissions.size();
  m_lost = sink(std::move(batch)) ? 0 : m_lost + events;
}

}  // namespace tcpscope
