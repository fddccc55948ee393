// What the path did to packets: every drop, mark, duplicate and late packet with its time, flow and sequence number,
// and counters that must agree with it (packets taken in = delivered + dropped + still inside − duplicates).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/connection/endpoint.h"

namespace tcpscope::lab {

enum class PathEventKind : std::uint8_t {
  randomLoss,
  queueDrop,
  earlyDrop,
  ecnMark,
  mtuDrop,
  duplicate,
  reordered,
  deviceDrop
};

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

struct LinkCounters {
  Count packetsIn;
  Count packetsOut;
  Bytes bytesIn;
  Bytes bytesOut;
  Count drops;
  Count marks;
  Count duplicates;
  /// Highest queue seen.
  Bytes queuePeak;
};

struct LinkReport {
  std::string name;
  LinkCounters counters;
};

struct PathReport {
  std::vector<LinkReport> links;
  /// Read from the hosts but never fully handled, or packets that a host's device refused: 0, or the emulation is not
  /// exact.
  Count deviceDrops;
  /// Longest time that a packet left behind its moment: what the machine could not do.
  Nanoseconds worstLateness{0};
  Nanoseconds lateness999{0};
};

}  // namespace tcpscope::lab
