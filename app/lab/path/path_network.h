// The emulated network of a PathSettings: takes packets from hosts, hands them to hosts when their time has come.
//
// Packets are routed by destination address (hostAddress()). Packets without a destination here are counted and
// dropped. Moments given to it never go back. From link to link a packet goes at the moment it left the one before,
// however late the caller called, so that lateness does not add up.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lab/path/link.h"
#include "app/lab/path/packet_pool.h"
#include "app/lab/path/path_log.h"
#include "app/lab/path/path_settings.h"

namespace tcpscope::lab {

/// A packet that is due at a host.
struct Arrival {
  std::size_t host = 0;
  Packet packet;
  Moment due;
};

class PathNetwork {
public:
  /// Receives a packet at its end of the path, and the moment of its arrival.
  using PacketSink = std::function<void(std::span<const std::uint8_t> packet, Moment at)>;

  explicit PathNetwork(const PathSettings& settings, PathEventSink sink, PacketSink atRightEnd = {});

  /// Rates, delays, queues and so on; the hosts, their number and sides stay as they are, the seed too.
  void change(const PathSettings& settings, Moment now);

  /// `host` has sent `packet`.
  void accept(std::size_t host, std::span<const std::uint8_t> packet, Moment now);

  /// The next packet due at a host by `now`.
  std::optional<Arrival> release(Moment now);

  /// Nothing is due before it; nothing while the network is empty.
  [[nodiscard]] std::optional<Moment> nextRelease() const;

  [[nodiscard]] std::size_t hosts() const { return m_sides.size(); }
  /// The last link to a host.
  [[nodiscard]] static std::uint16_t linkTo(std::size_t host) { return static_cast<std::uint16_t>(3 + 2 * host); }
  [[nodiscard]] std::vector<LinkReport> links() const;
  /// Packets that were for no host here, or no IP packets.
  [[nodiscard]] Count unrouted() const { return m_unrouted; }

private:
  void moveUntil(Moment now);
  void hand(std::size_t link, Packet packet, Moment now);
  void forward(std::size_t link, Packet packet, Moment now);
  void route(PathSide from, Packet packet, Moment now);
  void answer(std::size_t droppingLink, std::span<const std::uint8_t> message, Moment now);
  [[nodiscard]] std::optional<std::size_t> earliestLink() const;

  PacketPool m_pool;
  std::vector<PathSide> m_sides;
  /// The path's two, then each host's two; names beside them.
  std::vector<Link> m_links;
  std::vector<std::string> m_names;
  std::vector<std::optional<Moment>> m_nextOf;
  RingQueue<Arrival> m_arrived;
  PacketSink m_atRightEnd;
  Count m_unrouted;
};

}  // namespace tcpscope::lab
