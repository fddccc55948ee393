#include "core/host/layer_checks.h"

#include <algorithm>

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

constexpr std::array kLinkCounters = {
    CounterCheck{CheckId::cable, CheckLayer::physical, {"rx_crc_errors", "rx_frame_errors", ""}},
    CounterCheck{CheckId::linkLost, CheckLayer::physical, {"carrier_changes", "", ""}},
    CounterCheck{CheckId::receiveRing, CheckLayer::dataLink, {"rx_missed_errors", "rx_fifo_errors", "rx_over_errors"}},
    CounterCheck{CheckId::transmitDrops, CheckLayer::dataLink, {"tx_dropped", "tx_errors", ""}},
};

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

bool isVeth(const LinkReading& link) {
  return link.kind.rawBytes() == "veth";
}

CheckRow offloadsOf(const LinkReading& link) {
  CheckRow row{CheckId::offloads, CheckLayer::dataLink, CheckStatus::unknown, link.name};
  if (!link.offloads) return unknown(row, link.offloads.error());
  const OffloadReading& is = *link.offloads;
  const std::array<std::pair<std::string_view, std::optional<bool>>, 6> all = {{
      {"scatter-gather", is.scatterGather},
      {"tx-checksumming", is.transmitChecksum},
      {"rx-checksumming", is.receiveChecksum},
      {"tso", is.tcpSegmentation},
      {"gso", is.genericSegmentation},
      {"gro", is.genericReceive},
  }};
  if (std::none_of(all.begin(), all.end(), [](const auto& one) { return one.second.has_value(); })) return row;
  for (const auto& [title, isOn] : all) {
    // The other end hands over large packets whole: the kernel leaves this off there (drivers/net/veth.c).
    if (title == "gro" && isVeth(link)) continue;
    if (isOn == false) row.names.emplace_back(std::string(title));
  }
  row.status = row.names.empty() ? CheckStatus::pass : CheckStatus::warn;
  return row;
}

/// Segments that were merged on arrival cannot be passed on as they came (Documentation/networking/ip-sysctl.rst,
/// ip_forward).
CheckRow largeReceiveOf(const LinkReading& link, std::optional<bool> hostForwards) {
  CheckRow row{CheckId::largeReceive, CheckLayer::dataLink, CheckStatus::unknown, link.name};
  if (!link.offloads) return unknown(row, link.offloads.error());
  const std::optional<bool> isOn = link.offloads->largeReceive;
  if (!isOn || (*isOn && !hostForwards)) return row;
  row.status = *isOn && *hostForwards ? CheckStatus::warn : CheckStatus::pass;
  row.names.emplace_back(*isOn ? "on" : "off");
  return row;
}

CheckRow queueDisciplineOf(const LinkReading& before, const LinkReading& after) {
  CheckRow row{CheckId::queueDiscipline, CheckLayer::dataLink, CheckStatus::unknown, after.name};
  if (!after.queueDiscipline) return unknown(row, after.queueDiscipline.error());
  const QueueDisciplineReading& is = *after.queueDiscipline;
  row.names = {is.kind};
  // Without a queue its length says nothing.
  if (is.kind.rawBytes() != "noqueue") row.most = after.transmitQueueLength;
  row.used = is.backlog;
  // It was replaced meanwhile, or recreated with the same kind.
  const bool isTheSame =
      before.queueDiscipline && before.queueDiscipline->kind == is.kind && before.queueDiscipline->drops <= is.drops;
  if (!isTheSame) return unknown(row, UnknownReason::counterReset);
  row.during = is.drops - before.queueDiscipline->drops;
  row.ever = is.drops;
  row.count = is.requeues;
  // Dropping is how a queue signals congestion to senders: only current drops are a warning.
  row.status = *row.during > 0 ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

/// A ring that loses packets and could be larger.
CheckRow ringSizeOf(const LinkReading& link, const CheckRow& drops) {
  CheckRow row{CheckId::ringSize, CheckLayer::dataLink, CheckStatus::unknown, link.name};
  if (!link.rings) return unknown(row, link.rings.error());
  const bool isDropping = drops.status == CheckStatus::fail || drops.status == CheckStatus::warn;
  const bool isWhole = link.rings->receiveNow >= link.rings->receiveMost;
  row.count = link.rings->receiveNow;
  row.most = link.rings->receiveMost;
  row.status = isDropping && !isWhole ? CheckStatus::warn : CheckStatus::pass;
  // Whether a larger one would help is known from its drops alone.
  if (drops.status == CheckStatus::unknown && !isWhole) return unknown(row, drops.reason);
  return row;
}

CheckRow interruptDelayOf(const LinkReading& link) {
  constexpr Microseconds kLong{100};
  CheckRow row{CheckId::interruptDelay, CheckLayer::dataLink, CheckStatus::unknown, link.name};
  if (!link.coalescing) return unknown(row, link.coalescing.error());
  if (link.coalescing->isAdaptive) row.names.emplace_back("adaptive");
  row.delay = link.coalescing->receiveDelay;
  row.status = !link.coalescing->isAdaptive && *row.delay > kLong ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

}  // namespace

/// Bits a second that are left of the transfers: 8b/10b up to 5 GT/s, 128b/130b above (PCI Express Base Specification).
BitsPerSecond busRateOf(double gts, std::uint32_t lanes) {
  constexpr double kLastWith8b10b = 5.0;
  const double share = gts <= kLastWith8b10b ? 8.0 / 10.0 : 128.0 / 130.0;
  return BitsPerSecond(gts * 1e9 * share * lanes);
}

void addLinkChecks(std::vector<CheckRow>& rows, const LinkReading& before, const LinkReading& after,
                   std::optional<bool> hostForwards) {
  if (!after.isUp) return;
  if (after.isPhysical) {
    rows.push_back(speedOf(after));
    rows.push_back(duplexOf(after));
    rows.push_back(busOf(after));
  }
  if (after.isPhysical || isVeth(after)) rows.push_back(offloadsOf(after));
  if (after.isPhysical) {
    rows.push_back(largeReceiveOf(after, hostForwards));
    rows.push_back(interruptDelayOf(after));
  }
  for (const CounterCheck& check : kLinkCounters) {
    const bool isOfHardware = check.layer == CheckLayer::physical || check.id == CheckId::receiveRing;
    if (isOfHardware && !after.isPhysical) continue;
    rows.push_back(rowOf(check, after.name, before.counters, after.counters));
    if (check.id == CheckId::receiveRing) rows.push_back(ringSizeOf(after, CheckRow(rows.back())));
  }
  rows.push_back(queueDisciplineOf(before, after));
  addPacketSizeChecks(rows, after);
}

}  // namespace tcpscope
