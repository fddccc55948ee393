// The check-up of a host by layer, lower ones first.
#pragma once

#include <string_view>
#include <vector>

#include "core/host/host_reading.h"
#include "core/host/path_reading.h"

namespace tcpscope {

enum class CheckLayer : std::uint8_t { physical, dataLink, network, transport, application };
std::string_view name(CheckLayer layer);

enum class CheckStatus : std::uint8_t { pass, warn, fail, unknown };
std::string_view name(CheckStatus status);

enum class CheckId : std::uint8_t {
  linkSpeed,
  duplex,
  cable,
  linkLost,
  bus,
  receiveRing,
  transmitDrops,
  mtu,
  packetBacklog,
  packetBudget,
  oneProcessor,
  acceptQueue,
  receivePruned,
  receiveCollapsed,
  memoryPressure,
  memoryAborts,
  socketBacklog,
  sendQueueTooBig,
  reversePath,
  offloads,
  largeReceive,
  queueDiscipline,
  rememberedThreshold,
  groupMemory,
  tunnel,
  defaultRoute,
  routeSettings,
  otherTuners,
  ringSize,
  interruptDelay,
  oneThread,
  processorWait,
  diskWait,
  smallWrites,
  interruptSpread,
  busNeighbours,
  hops,
  pathMtu,
  orphans,
  congestionControls,
  count,
};
/// snake_case, as in the JSON document.
std::string_view name(CheckId id);
std::string_view name(UnknownReason reason);

/// Where a path gets longer: behind which hop, counted from one, and by how much.
struct PathStep {
  std::size_t behind = 0;
  Microseconds more{0};
};

struct CheckRow {
  CheckId id = CheckId::count;
  CheckLayer layer = CheckLayer::physical;
  CheckStatus status = CheckStatus::unknown;
  /// The interface, in the application layer the process, of a path the other host; empty for this whole host.
  UntrustedText object;
  /// Events between the two readings, and since the boot.
  std::optional<std::uint64_t> during{};
  std::optional<std::uint64_t> ever{};
  /// The link's, and what the bus carries.
  std::optional<BitsPerSecond> rate{};
  std::optional<BitsPerSecond> busRate{};
  std::optional<Bytes> mtu{};
  /// Of the interface that packets of a tunnel, or of a path, leave by.
  std::optional<Bytes> lowerMtu{};
  /// Of all packets or interrupts, by the processor that had the most.
  std::optional<double> ratio{};
  std::optional<std::uint32_t> processor{};
  /// Why it is not known; of no meaning otherwise.
  UnknownReason reason = UnknownReason::notReported;
  /// What was found by name: the queue discipline, offloads that are off, routes with what they set.
  std::vector<UntrustedText> names{};
  /// How many of what the check is about, and out of how many or how many at most.
  std::optional<std::uint64_t> count{};
  std::optional<std::uint64_t> most{};
  /// How long an interrupt may wait for more packets.
  std::optional<Microseconds> delay{};
  /// Memory in use, and how much may be.
  std::optional<Bytes> used{};
  std::optional<Bytes> limit{};
  /// Of the memory in use, in buffers of sockets.
  std::optional<Bytes> inSockets{};
  std::optional<std::uint32_t> pid{};
  /// Of the time between the two readings, by the thread that had the most; of a processor, in softirqs.
  std::optional<double> timeRatio{};
  std::optional<double> callsASecond{};
  std::optional<double> bytesACall{};
  /// Of a path: its routers and their distance, where it gets longest, and the size that gets lost without a word.
  std::vector<PathHop> hops{};
  std::optional<PathStep> longestStep{};
  std::optional<Bytes> vanishing{};
};

/// Two readings of one host, the earlier first. Interfaces that are down, and loopback's hardware, are left out.
std::vector<CheckRow> checkUp(const HostReading& before, const HostReading& after);

/// The worst of all; unknown where nothing else is.
CheckStatus worstOf(const std::vector<CheckRow>& rows);

/// A whole check-up, as the document of another host has it.
struct HostCheckup {
  std::vector<CheckRow> rows;
  /// Between the two readings.
  Nanoseconds window{0};
  /// Checks of the document that are not in `rows`: what they found is not known here.
  std::size_t leftOut = 0;
};

}  // namespace tcpscope
