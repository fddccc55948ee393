// What one network interface and its queue say at one instant.
//
// Names of counters as the kernel has them: Documentation/networking/statistics.rst, include/uapi/linux/if_link.h
// (rtnl_link_stats64).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/base/untrusted_text.h"
#include "core/host/reported.h"

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

/// What a device on the bus is for, by its base class (include/linux/pci_ids.h).
enum class DeviceKind : std::uint8_t { storage, network, display, multimedia, serialBus, accelerator, other };
std::string_view name(DeviceKind kind);

/// A device behind the same bridge as the adapter.
struct BusNeighbour {
  DeviceKind kind = DeviceKind::other;
  /// "0000:3b:00.1"
  UntrustedText address;
  /// Of a network device.
  std::vector<UntrustedText> interfaces;
};

/// Work that the adapter, or the kernel once for many segments, takes off the processor: on, off, or not reported
/// (Documentation/networking/segmentation-offloads.rst).
struct OffloadReading {
  std::optional<bool> scatterGather{};
  std::optional<bool> transmitChecksum{};
  std::optional<bool> receiveChecksum{};
  std::optional<bool> tcpSegmentation{};
  std::optional<bool> genericSegmentation{};
  std::optional<bool> genericReceive{};
  std::optional<bool> largeReceive{};
};

/// The queue discipline at an interface's root (include/uapi/linux/gen_stats.h: gnet_stats_queue).
struct QueueDisciplineReading {
  /// "fq_codel"; of a root that only spreads packets over the adapter's queues (mq), "mq: fq_codel".
  UntrustedText kind;
  /// Packets since it was set up.
  std::uint64_t drops = 0;
  std::uint64_t requeues = 0;
  /// What waits in it now.
  Bytes backlog{0};
};

/// Places for packets between adapter and host, as they are and as the adapter could (ethtool_ringparam).
struct RingReading {
  std::uint32_t receiveNow = 0;
  std::uint32_t receiveMost = 0;
};

/// How long the adapter waits for more packets before it interrupts for those that came (ethtool_coalesce).
struct CoalescingReading {
  /// The driver adapts it to the load.
  bool isAdaptive = false;
  Microseconds receiveDelay{0};
};

/// One interrupt of an adapter, usually a queue's (/proc/interrupts, proc(5)).
struct InterruptReading {
  std::uint32_t number = 0;
  /// How often each processor took it.
  std::map<std::uint32_t, std::uint64_t> byProcessor;
  /// Processors that may: "0-3,8". Empty where it is not reported.
  UntrustedText affinity;
};

struct LinkReading {
  UntrustedText name;
  /// It has hardware behind it.
  bool isPhysical = false;
  bool isUp = false;
  /// What kind of virtual interface it is, as rtnetlink names it: "veth", "vxlan"; empty for others.
  UntrustedText kind;
  std::optional<BitsPerSecond> speed;
  std::optional<Duplex> duplex;
  std::optional<Bytes> mtu;
  /// Of the interface below, where a virtual one says by which its packets leave.
  std::optional<Bytes> lowerMtu;
  std::optional<BusReading> bus;
  Reported<RingReading> rings = unreported();
  Reported<CoalescingReading> coalescing = unreported();
  Reported<std::vector<BusNeighbour>> neighbours = unreported();
  /// At least one.
  Reported<std::vector<InterruptReading>> interrupts = unreported();
  Reported<OffloadReading> offloads = unreported();
  Reported<QueueDisciplineReading> queueDiscipline = unreported();
  /// Packets that a queue discipline without a limit of its own lets wait (txqueuelen).
  std::optional<std::uint32_t> transmitQueueLength;
  /// "rx_crc_errors", and "carrier_changes" beside them.
  std::map<std::string, std::uint64_t, std::less<>> counters;
};

}  // namespace tcpscope
