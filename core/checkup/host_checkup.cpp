#include "core/checkup/host_checkup.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tcpscope {

namespace {

/// More events than this since the boot are worth a word even if none came just now.
constexpr std::uint64_t kWorthAWord = 10;

/// A counter that only faults make grow.
struct CounterCheck {
  CheckId id;
  CheckLayer layer;
  /// Their sum; those that a kernel does not have count as nothing where another one is told.
  std::array<std::string_view, 3> counters;
  /// What it is when the counter grows just now.
  CheckStatus whenGrowing = CheckStatus::fail;
};

constexpr std::array kLinkCounters = {
    CounterCheck{CheckId::cable, CheckLayer::physical, {"rx_crc_errors", "rx_frame_errors", ""}},
    CounterCheck{CheckId::linkLost, CheckLayer::physical, {"carrier_changes", "", ""}},
    CounterCheck{CheckId::receiveRing, CheckLayer::dataLink, {"rx_missed_errors", "rx_fifo_errors", "rx_over_errors"}},
    CounterCheck{CheckId::transmitDrops, CheckLayer::dataLink, {"tx_dropped", "tx_errors", ""}},
};

constexpr std::array kTcpCounters = {
    CounterCheck{CheckId::reversePath, CheckLayer::network, {"IPReversePathFilter", "", ""}, CheckStatus::warn},
    CounterCheck{CheckId::acceptQueue, CheckLayer::transport, {"ListenDrops", "", ""}},
    CounterCheck{CheckId::receivePruned, CheckLayer::transport, {"PruneCalled", "RcvPruned", "OfoPruned"}},
    CounterCheck{CheckId::receiveCollapsed, CheckLayer::transport, {"TCPRcvCollapsed", "", ""}, CheckStatus::warn},
    CounterCheck{CheckId::memoryPressure, CheckLayer::transport, {"TCPMemoryPressures", "", ""}},
    CounterCheck{CheckId::memoryAborts, CheckLayer::transport, {"TCPAbortOnMemory", "", ""}},
    CounterCheck{CheckId::socketBacklog, CheckLayer::transport, {"TCPBacklogDrop", "TCPRcvQDrop", ""}},
    CounterCheck{CheckId::sendQueueTooBig, CheckLayer::transport, {"TCPWqueueTooBig", "", ""}, CheckStatus::warn},
};

using Counters = std::map<std::string, std::uint64_t, std::less<>>;

std::optional<std::uint64_t> sumOf(const Counters& counters, const CounterCheck& check) {
  std::optional<std::uint64_t> sum;
  for (const std::string_view name : check.counters) {
    const auto found = counters.find(name);
    if (found != counters.end()) sum = sum.value_or(0) + found->second;
  }
  return sum;
}

CheckStatus statusOf(std::uint64_t during, std::uint64_t ever, CheckStatus whenGrowing) {
  if (during > 0) return whenGrowing;
  return ever > kWorthAWord ? CheckStatus::warn : CheckStatus::pass;
}

CheckRow rowOf(const CounterCheck& check, const UntrustedText& object, const Counters& before, const Counters& after) {
  CheckRow row{check.id, check.layer, CheckStatus::unknown, object};
  const auto was = sumOf(before, check);
  const auto is = sumOf(after, check);
  // A counter that went back began anew meanwhile, with its device.
  if (!was || !is || *is < *was) return row;
  row.during = *is - *was;
  row.ever = *is;
  row.status = statusOf(*row.during, *row.ever, check.whenGrowing);
  return row;
}

CheckRow speedOf(const LinkReading& link) {
  constexpr double kSlowBps = 100e6;
  CheckRow row{CheckId::linkSpeed, CheckLayer::physical, CheckStatus::unknown, link.name};
  row.rate = link.speed;
  if (link.speed) row.status = link.speed->value() < kSlowBps ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

CheckRow duplexOf(const LinkReading& link) {
  CheckRow row{CheckId::duplex, CheckLayer::physical, CheckStatus::unknown, link.name};
  if (link.duplex) row.status = *link.duplex == Duplex::half ? CheckStatus::fail : CheckStatus::pass;
  return row;
}

/// Bits a second that are left of the transfers: 8b/10b up to 5 GT/s, 128b/130b above (PCI Express Base Specification).
BitsPerSecond busRateOf(double gts, std::uint32_t lanes) {
  constexpr double kLastWith8b10b = 5.0;
  const double share = gts <= kLastWith8b10b ? 8.0 / 10.0 : 128.0 / 130.0;
  return BitsPerSecond(gts * 1e9 * share * lanes);
}

CheckRow busOf(const LinkReading& link) {
  CheckRow row{CheckId::bus, CheckLayer::physical, CheckStatus::unknown, link.name};
  if (!link.bus) return row;
  const BusReading& bus = *link.bus;
  row.busRate = busRateOf(bus.speedNowGts, bus.lanesNow);
  row.rate = link.speed;
  const bool isNarrowed = bus.speedNowGts < bus.speedMostGts || bus.lanesNow < bus.lanesMost;
  // An idle adapter may slow its bus down to save power: only one that is too slow for the link is a fault.
  if (link.speed && *row.busRate < *link.speed) {
    row.status = CheckStatus::fail;
  } else {
    row.status = isNarrowed && !link.speed ? CheckStatus::warn : CheckStatus::pass;
  }
  return row;
}

CheckRow mtuOf(const LinkReading& link) {
  // What IPv6 needs (RFC 8200, section 5).
  constexpr std::uint64_t kLeast = 1280;
  CheckRow row{CheckId::mtu, CheckLayer::network, CheckStatus::unknown, link.name};
  row.mtu = link.mtu;
  if (link.mtu) row.status = link.mtu->value() < kLeast ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

void addLink(std::vector<CheckRow>& rows, const LinkReading& before, const LinkReading& after) {
  if (!after.isUp) return;
  if (after.isPhysical) {
    rows.push_back(speedOf(after));
    rows.push_back(duplexOf(after));
    rows.push_back(busOf(after));
  }
  for (const CounterCheck& check : kLinkCounters) {
    const bool isOfHardware = check.layer == CheckLayer::physical || check.id == CheckId::receiveRing;
    if (isOfHardware && !after.isPhysical) continue;
    rows.push_back(rowOf(check, after.name, before.counters, after.counters));
  }
  rows.push_back(mtuOf(after));
}

using SoftnetField = std::uint64_t SoftnetReading::*;

std::uint64_t sumOf(const HostReading& reading, SoftnetField field) {
  return std::accumulate(reading.processors.begin(), reading.processors.end(), std::uint64_t{0},
                         [field](std::uint64_t sum, const SoftnetReading& one) { return sum + one.*field; });
}

CheckRow softnetOf(CheckId id, const HostReading& before, const HostReading& after, SoftnetField field,
                   CheckStatus whenGrowing) {
  CheckRow row{id, CheckLayer::dataLink, CheckStatus::unknown, {}};
  const std::uint64_t was = sumOf(before, field);
  const std::uint64_t is = sumOf(after, field);
  if (after.processors.empty() || before.processors.size() != after.processors.size() || is < was) return row;
  row.during = is - was;
  row.ever = is;
  row.status = statusOf(*row.during, *row.ever, whenGrowing);
  return row;
}

CheckRow oneProcessorOf(const HostReading& before, const HostReading& after) {
  constexpr std::uint64_t kBusyPackets = 100'000;
  constexpr double kNearlyAll = 0.9;
  CheckRow row{CheckId::oneProcessor, CheckLayer::dataLink, CheckStatus::unknown, {}};
  if (after.processors.size() < 2 || before.processors.size() != after.processors.size()) return row;
  std::uint64_t all = 0;
  std::uint64_t most = 0;
  for (std::size_t index = 0; index < after.processors.size(); ++index) {
    if (after.processors[index].processed < before.processors[index].processed) return row;
    const std::uint64_t done = after.processors[index].processed - before.processors[index].processed;
    all += done;
    most = std::max(most, done);
  }
  row.during = all;
  // Few packets are well served by one.
  row.status = CheckStatus::pass;
  if (all < kBusyPackets) return row;
  row.ratio = static_cast<double>(most) / static_cast<double>(all);
  if (*row.ratio > kNearlyAll) row.status = CheckStatus::warn;
  return row;
}

}  // namespace

std::vector<CheckRow> checkUp(const HostReading& before, const HostReading& after) {
  std::vector<CheckRow> rows;
  for (const LinkReading& link : after.links) {
    const auto earlier = std::find_if(before.links.begin(), before.links.end(),
                                      [&](const LinkReading& one) { return one.name == link.name; });
    if (earlier != before.links.end()) addLink(rows, *earlier, link);
  }
  rows.push_back(softnetOf(CheckId::packetBacklog, before, after, &SoftnetReading::dropped, CheckStatus::fail));
  rows.push_back(softnetOf(CheckId::packetBudget, before, after, &SoftnetReading::squeezed, CheckStatus::warn));
  rows.push_back(oneProcessorOf(before, after));
  for (const CounterCheck& check : kTcpCounters) {
    rows.push_back(rowOf(check, {}, before.tcpCounters, after.tcpCounters));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const CheckRow& left, const CheckRow& right) { return left.layer < right.layer; });
  return rows;
}

CheckStatus worstOf(const std::vector<CheckRow>& rows) {
  const auto has = [&](CheckStatus status) {
    return std::any_of(rows.begin(), rows.end(), [status](const CheckRow& row) { return row.status == status; });
  };
  for (const CheckStatus status : {CheckStatus::fail, CheckStatus::warn, CheckStatus::pass}) {
    if (has(status)) return status;
  }
  return CheckStatus::unknown;
}

}  // namespace tcpscope
