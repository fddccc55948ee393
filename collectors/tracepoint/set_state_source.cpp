#include "collectors/tracepoint/set_state_source.h"

#include <algorithm>
#include <utility>

namespace tcpscope {

Expected<std::unique_ptr<SetStateSource>, CapabilityReason> SetStateSource::open(PlaceId place,
                                                                                 const std::filesystem::path& tracefs) {
  const auto text = readEventFormat(tracefs, "sock/inet_sock_set_state");
  if (!text) return Unexpected<CapabilityReason>(text.error());
  const auto layout = parseSetStateFormat(*text);
  if (!layout) return Unexpected<CapabilityReason>(CapabilityReason::notSupported);
  auto rings = EventRings::open(layout->id);
  if (!rings) return Unexpected<CapabilityReason>(rings.error());
  return std::unique_ptr<SetStateSource>(new SetStateSource(place, *layout, std::move(*rings)));
}

void SetStateSource::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  EventRings::pollUntil(stop, requests, [&] { collect(sink); });
}

void SetStateSource::collect(const ObservationSink& sink) {
  ObservationBatch batch;
  batch.place = m_place;
  m_lost += m_rings.drain([&](std::span<const std::byte> record, Moment at) {
    if (auto event = decodeSetState(m_layout, record, at)) batch.events.push_back(std::move(*event));
  });
  if (batch.events.empty()) return;
  // Each processor has a ring of its own.
  std::stable_sort(batch.events.begin(), batch.events.end(),
                   [](const SourceEvent& a, const SourceEvent& b) { return a.at < b.at; });
  if (m_lost > 0) batch.gaps.push_back({m_place, GapKind::queueFull, std::exchange(m_lost, 0)});
  const std::uint64_t events = batch.events.size();
  if (!sink(std::move(batch))) m_lost += events;
}

}  // namespace tcpscope
