#include "collectors/tracepoint/set_state_source.h"

#include <algorithm>
#include <utility>

#include "collectors/system/monotonic_clock.h"

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
  m_rings.pollUntil(stop, requests, [&] { collect(sink); });
  collect(sink, monotonicNow());
}

void SetStateSource::collect(const ObservationSink& sink) {
  // Each processor has a ring of its own, and writes an event some time after it has taken the time of it.
  constexpr Nanoseconds kUntilWritten = std::chrono::milliseconds(10);
  collect(sink, monotonicNow() - kUntilWritten);
}

void SetStateSource::collect(const ObservationSink& sink, Moment until) {
  m_lost += m_rings.drain([&](std::span<const std::byte> record, Moment at) {
    if (auto event = decodeSetState(m_layout, record, at)) {
      m_waiting.push_back({{record.begin(), record.end()}, std::move(*event)});
    }
  });
  const auto later = std::stable_partition(m_waiting.begin(), m_waiting.end(),
                                           [until](const Waiting& one) { return one.event.at <= until; });
  std::stable_sort(m_waiting.begin(), later,
                   [](const Waiting& a, const Waiting& b) { return a.event.at < b.event.at; });
  ObservationBatch batch;
  batch.place = m_place;
  for (auto one = m_waiting.begin(); one != later; ++one) {
    m_sockets.number(m_layout, one->record, one->event);
    batch.events.push_back(std::move(one->event));
  }
  m_waiting.erase(m_waiting.begin(), later);
  if (batch.events.empty()) return;
  if (m_lost > 0) batch.gaps.push_back({m_place, GapKind::queueFull, m_lost});
  const std::uint64_t events = batch.events.size();
  m_lost = sink(std::move(batch)) ? 0 : m_lost + events;
}

}  // namespace tcpscope
