// What a host's counters say at one instant.
//
// Names of counters as the kernel has them: Documentation/networking/statistics.rst, include/uapi/linux/if_link.h
// (rtnl_link_stats64), net/core/net-procfs.c (softnet_stat), include/uapi/linux/snmp.h (TcpExt).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/text/untrusted_text.h"

namespace tcpscope {

enum class Duplex : std::uint8_t { half, full };

/// The bus that an adapter sits on, as it is and as adapter and slot could.
struct BusReading {
  /// Billions of transfers a second and lane.
  double speedNowGts = 0.0;
  double speedMostGts = 0.0;
  std::uint32_t lanesNow = 0;
  std::uint32_t lanesMost = 0;
};

struct LinkReading {
  UntrustedText name;
  /// It has hardware behind it.
  bool isPhysical = false;
  bool isUp = false;
  std::optional<BitsPerSecond> speed;
  std::optional<Duplex> duplex;
  std::optional<Bytes> mtu;
  std::optional<BusReading> bus;
  /// "rx_crc_errors", and "carrier_changes" beside them.
  std::map<std::string, std::uint64_t, std::less<>> counters;
};

/// One processor's share of the work on packets that came.
struct SoftnetReading {
  std::uint64_t processed = 0;
  std::uint64_t dropped = 0;
  /// It stopped with packets left to do.
  std::uint64_t squeezed = 0;
};

struct HostReading {
  Moment at;
  std::vector<LinkReading> links;
  std::vector<SoftnetReading> processors;
  /// "ListenDrops"; empty where they are not told.
  std::map<std::string, std::uint64_t, std::less<>> tcpCounters;
};

}  // namespace tcpscope
