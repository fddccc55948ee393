// The loop that carries packets between the hosts' devices, in a process of its own: one thread, waiting without timer
// slack for the next packet, the next departure, or its owner.
//
// Keeps the moments as well as the machine lets it, and says how well: the report has the lateness of the packets and
// the time that the loop waited for a processor.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/lab/path/path_log.h"
#include "app/lab/path/path_settings.h"

namespace tcpscope::lab {

/// Where one host's packets come from and go to: whole IP packets, without a header of a link, in both kinds.
struct PathPort {
  enum class Kind : std::uint8_t {
    /// A TUN device's descriptor, IFF_NO_PI. Its txqueuelen must hold what the host sends while the loop waits for a
    /// processor: 10,000.
    tun,
    /// A packet socket (AF_PACKET, SOCK_DGRAM), bound to this end of the host's pair of virtual Ethernet devices.
    packetSocket
  };
  Kind kind = Kind::tun;
  /// Does not block.
  int descriptor = -1;
  /// packetSocket: the host's own Ethernet address, which packets to it are sent to.
  std::array<std::uint8_t, 6> hostAddress{};
  int interfaceIndex = 0;
  /// packetSocket: /proc/net/dev, opened in the host's network namespace, and the host's own device in it. Without them
  /// the drops of that device are unknown. Packets that a TUN device dropped are known without.
  int hostCounters = -1;
  std::string hostDevice;
};

/// Receives the loop's reports and answers its questions. All calls come from the loop's thread; none may block.
class PathOwner {
public:
  PathOwner() = default;
  PathOwner(const PathOwner&) = delete;
  PathOwner& operator=(const PathOwner&) = delete;
  virtual ~PathOwner() = default;

  /// Each event as it happens; path_log_file.h keeps them.
  virtual void happened(const PathEvent& event) = 0;
  /// Each packet as it passes a host's device, out of the host or into it: what a capture there would see.
  virtual void passed(std::size_t /*host*/, std::span<const std::uint8_t> /*packet*/, Moment /*at*/) {}
  /// Each packet as it passes the right end of the path: what a capture in the middle would see, after the path's own
  /// losses and before those of the hosts' links on that side.
  virtual void passedMiddle(std::span<const std::uint8_t> /*packet*/, Moment /*at*/) {}
  /// Several times a second, and before the loop ends.
  virtual void counted(const PathReport& report) = 0;
  /// Readable when `takeRequest` has something to say.
  [[nodiscard]] virtual int wakeDescriptor() const = 0;
  /// New settings (rates, delays, queues, loss; the same hosts) to go on with; nothing: end the loop.
  virtual std::optional<PathSettings> takeRequest() = 0;
};

/// Carries packets until the owner ends it: 0; or errno where a device fails. Port n is that of settings.hosts[n].
int runPathLoop(const PathSettings& settings, std::span<const PathPort> ports, PathOwner& owner);

}  // namespace tcpscope::lab
