// The source of state changes: each TCP connection that this host's kernel opens, moves to another state or closes,
// from the tracepoint sock:inet_sock_set_state. Needs the right to trace (event_rings.h).
#pragma once

#include <memory>

#include "collectors/tracepoint/event_rings.h"
#include "collectors/tracepoint/set_state_event.h"

namespace tcpscope {

class SetStateSource final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"inet_sock_set_state", "every change of a connection's state"};

  /// Fails with the reason why it cannot work here.
  static Expected<std::unique_ptr<SetStateSource>, CapabilityReason> open(
      PlaceId place, const std::filesystem::path& tracefs = kTracefs);

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;
  /// One poll of the rings.
  void collect(const ObservationSink& sink);

private:
  SetStateSource(PlaceId place, const SetStateLayout& layout, EventRings rings)
      : m_place(place), m_layout(layout), m_rings(std::move(rings)) {}

  /// Hands on what happened until this moment.
  void collect(const ObservationSink& sink, Moment until);

  PlaceId m_place;
  SetStateLayout m_layout;
  EventRings m_rings;
  SocketNumbers m_sockets;
  struct Waiting {
    std::vector<std::byte> record;
    SourceEvent event;
  };
  /// For what happened earlier and another processor may not have written yet.
  std::vector<Waiting> m_waiting;
  std::uint64_t m_lost = 0;
};

}  // namespace tcpscope
