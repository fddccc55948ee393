// What the path did to packets: every drop, mark, duplicate and late packet with its time, flow and sequence number,
// and counters that must agree with it (packets taken in = delivered + dropped + still inside − duplicates).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/model/endpoint.h"

namespace tcpscope::lab {

enum class PathEventKind : std::uint8_t {
  randomLoss,
  queueDrop,
  earlyDrop,
  ecnMark,
  mtuDrop,
  duplicate,
  reordered,
  /// The host's device refused it.
  deviceDrop,
  policerDrop,
  /// The link was broken.
  breakDrop
};
constexpr PathEventKind kLastPathEventKind = PathEventKind::breakDrop;
/// "random_loss", "queue_drop", …
std::string_view name(PathEventKind kind);
/// The packet ends here.
bool isDrop(PathEventKind kind);

struct PathEvent {
  Moment time;
  PathEventKind kind = PathEventKind::randomLoss;
  /// Which link: "path.forward", "sender.backward", … by index into PathReport::links.
  std::uint16_t link = 0;
  Endpoint source;
  Endpoint destination;
  std::uint32_t sequence = 0;
  std::uint32_t payloadBytes = 0;
};

/// The event with what the packet's header says; without flow and sequence where it is no IP packet.
PathEvent pathEvent(PathEventKind kind, std::uint16_t link, std::span<const std::uint8_t> packet, Moment time);

struct LinkCounters {
  Count packetsIn;
  Count packetsOut;
  Bytes bytesIn;
  Bytes bytesOut;
  /// Of every kind.
  Count drops;
  Count marks;
  Count duplicates;
  /// Highest queue seen.
  Bytes queuePeak;
  /// Queued or in flight now.
  Count packetsInside;
};

struct LinkReport {
  std::string name;
  LinkCounters counters;
};

struct PathReport {
  std::vector<LinkReport> links;
  /// For no host of the path, or no IP packet: left out of the emulation, as a host's multicast.
  Count unrouted;
  /// Dropped by a host's device before the path saw them, or refused by it: 0, or the emulation is not exact. Absent
  /// where a device's own counters cannot be read.
  std::optional<Count> deviceDrops;
  /// How long packets left behind their moment: what the machine could not do.
  Nanoseconds worstLateness{0};
  Nanoseconds lateness999{0};
  Nanoseconds lateness99{0};
  Nanoseconds lateness50{0};
  /// Of the loop's life, and how much of it the loop was ready to run and had no processor. Packets that came in
  /// meanwhile were late without being seen to be.
  Nanoseconds observed{0};
  Nanoseconds waitedForProcessor{0};
};

}  // namespace tcpscope::lab
