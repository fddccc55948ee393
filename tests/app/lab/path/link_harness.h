// One link under test: packets go in at a given time, and departures are listed as "which packet, when". Times are in
// microseconds from the start of the test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/lab/path/link.h"
#include "tests/app/lab/path/ip_packet.h"

namespace tcpscope::lab::link_test {

inline Moment at(double microseconds) {
  return Moment::fromNanoseconds(1'000'000'000 + static_cast<std::int64_t>(microseconds * 1e3));
}

inline double microsecondsOf(Moment moment) {
  return static_cast<double>((moment - at(0)).count()) / 1e3;
}

/// Sequence number of the packet and when it came out.
using Outcome = std::pair<std::uint32_t, double>;

class LinkHarness {
public:
  explicit LinkHarness(const LinkSettings& settings, std::uint64_t seed = 1)
      : m_link(7, settings, seed, [this](const PathEvent& event) { m_events.push_back(event); }) {}

  Link& link() { return m_link; }
  const std::vector<PathEvent>& events() const { return m_events; }

  std::optional<PacketBytes> send(double microseconds, const PacketBytes& packet) {
    return m_link.accept(m_pool.make(packet), at(microseconds));
  }
  /// Packets of `size` bytes, numbered from `first`, all at the same moment.
  void sendBurst(double microseconds, std::size_t packets, std::size_t size, std::uint32_t first = 1) {
    for (std::size_t packet = 0; packet < packets; ++packet) {
      send(microseconds, dataPacket(size, first + static_cast<std::uint32_t>(packet)));
    }
  }
  std::vector<PacketBytes> packetsOutBy(double microseconds) {
    std::vector<PacketBytes> packets;
    while (const auto departure = m_link.release(at(microseconds))) {
      packets.emplace_back(departure->packet.bytes().begin(), departure->packet.bytes().end());
    }
    return packets;
  }
  /// As a loop would do it: woken only at nextRelease().
  std::vector<Outcome> outBy(double microseconds) {
    std::vector<Outcome> outcomes;
    while (const std::optional<Moment> next = m_link.nextRelease()) {
      if (*next > at(microseconds)) break;
      while (const auto departure = m_link.release(*next)) {
        outcomes.emplace_back(readPacketHeader(departure->packet.bytes())->sequence, microsecondsOf(departure->at));
      }
    }
    return outcomes;
  }
  std::size_t count(PathEventKind kind) const {
    std::size_t events = 0;
    for (const PathEvent& event : m_events) events += event.kind == kind ? 1 : 0;
    return events;
  }
  std::vector<std::uint32_t> sequencesOf(PathEventKind kind) const {
    std::vector<std::uint32_t> sequences;
    for (const PathEvent& event : m_events) {
      if (event.kind == kind) sequences.push_back(event.sequence);
    }
    return sequences;
  }

private:
  PacketPool m_pool;
  std::vector<PathEvent> m_events;
  Link m_link;
};

}  // namespace tcpscope::lab::link_test
