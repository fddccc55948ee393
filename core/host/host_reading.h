// What a host's counters say at one instant.
//
// Names of counters as the kernel has them: net/core/net-procfs.c (softnet_stat), include/uapi/linux/snmp.h (TcpExt).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/host/link_reading.h"
#include "core/host/other_tuners.h"
#include "core/host/processor_load.h"

namespace tcpscope {

/// One processor's share of the work on packets that came.
struct SoftnetReading {
  std::uint64_t processed = 0;
  std::uint64_t dropped = 0;
  /// It stopped with packets left to do.
  std::uint64_t squeezed = 0;
};

/// What TCP remembers of destinations for the next connection to them (net/ipv4/tcp_metrics.c).
struct TcpMetricsReading {
  std::uint64_t destinations = 0;
  /// Of these: those with a remembered slow-start threshold below kSmallThresholdSegments.
  std::uint64_t withSmallThreshold = 0;
  /// The smallest threshold of all, in segments.
  std::optional<std::uint32_t> smallestThreshold{};
  /// False: there were more than are read.
  bool isWhole = true;
};

/// A connection that leaves slow start here has about 145 kB in flight at the usual segment size: 12 Mbit/s over
/// 100 ms. From there on it grows by single segments.
inline constexpr std::uint32_t kSmallThresholdSegments = 100;

/// Settings that decide what TCP does with what it remembers; absent where this kernel does not have them.
struct TcpMetricsSettings {
  /// net.ipv4.tcp_no_metrics_save
  std::optional<bool> savesNothing{};
  /// net.ipv4.tcp_no_ssthresh_metrics_save (Linux 5.6): thresholds are neither saved nor used.
  std::optional<bool> savesNoThreshold{};
};

/// The control group's memory, of which sockets' buffers are a part (Documentation/admin-guide/cgroup-v2.rst).
struct GroupMemoryReading {
  /// Buffers of network sockets, of this group and those below.
  std::optional<Bytes> sockets{};
  /// Of the group, or the one above it, that has the least left.
  std::optional<Bytes> limit{};
  /// In that group, without the file cache, which gives way.
  std::optional<Bytes> used{};
  /// How often the group, or one above it, had to be kept within memory.high or memory.max.
  std::optional<std::uint64_t> timesAtLimit{};
};

/// A route that sets something of TCP (include/uapi/linux/rtnetlink.h: RTAX_*).
struct RouteSettings {
  /// "default", "192.0.2.0/24"
  std::string destination;
  /// As `ip route` writes them: "initcwnd 3".
  std::vector<UntrustedText> settings;
};

struct RoutesReading {
  /// Of all that were read.
  std::uint64_t routes = 0;
  std::uint64_t defaults = 0;
  std::uint64_t withSettings = 0;
  /// The first of these.
  std::vector<RouteSettings> examples;
  /// False: there were more than are read.
  bool isWhole = true;
};

/// Sockets that no program holds any more, and whose connection is not over (net/ipv4/tcp.c, tcp_orphan_count); of the
/// whole host, whatever the network namespace.
struct OrphanReading {
  std::uint64_t sockets = 0;
  /// net.ipv4.tcp_max_orphans
  std::optional<std::uint64_t> most{};
};

struct CongestionControls {
  /// Of new connections that ask for no other.
  UntrustedText standard;
  /// Those that the kernel has loaded, the standard one among them; without CAP_NET_ADMIN a program may ask for those
  /// of tcp_allowed_congestion_control only.
  std::vector<UntrustedText> available;
};

struct HostReading {
  Moment at;
  std::vector<LinkReading> links;
  std::vector<SoftnetReading> processors;
  ProcessorTimes processorTimes;
  /// Packets are passed on between interfaces.
  std::optional<bool> forwards{};
  Reported<RoutesReading> routes = unreported();
  Reported<OtherTuners> tuners = unreported();
  Reported<TcpMetricsReading> tcpMetrics = unreported();
  TcpMetricsSettings tcpMetricsSettings;
  Reported<GroupMemoryReading> groupMemory = unreported();
  std::optional<OrphanReading> orphans{};
  std::optional<CongestionControls> controls{};
  /// "ListenDrops"; empty where they are not reported.
  std::map<std::string, std::uint64_t, std::less<>> tcpCounters;
};

}  // namespace tcpscope
