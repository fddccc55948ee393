#include "core/host/layer_checks.h"

#include <algorithm>

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

const LinkReading* linkIn(const HostReading& reading, const UntrustedText& name) {
  const auto found = std::find_if(reading.links.begin(), reading.links.end(),
                                  [&](const LinkReading& one) { return one.name == name; });
  return found == reading.links.end() ? nullptr : &*found;
}

/// Bits a second in the busier direction between the readings; nothing where it was not counted.
std::optional<double> trafficOf(const UntrustedText& name, const HostReading& before, const HostReading& after) {
  const LinkReading* was = linkIn(before, name);
  const LinkReading* is = linkIn(after, name);
  const double seconds = toSeconds(after.at - before.at);
  if (was == nullptr || is == nullptr || seconds <= 0.0) return std::nullopt;
  std::optional<double> most;
  for (const std::string_view counter : {"rx_bytes", "tx_bytes"}) {
    const auto earlier = was->counters.find(counter);
    const auto later = is->counters.find(counter);
    const bool isCounted = earlier != was->counters.end() && later != is->counters.end();
    if (!isCounted || later->second < earlier->second) continue;
    most = std::max(most.value_or(0.0), static_cast<double>(later->second - earlier->second) * kBitsPerByte / seconds);
  }
  return most;
}

/// It uses a good part of what it could.
bool isBusy(const LinkReading& link, const HostReading& before, const HostReading& after) {
  constexpr double kGoodPart = 0.1;
  const auto traffic = trafficOf(link.name, before, after);
  return traffic && link.speed && *traffic >= link.speed->value() * kGoodPart;
}

std::string neighbourText(const BusNeighbour& one) {
  std::string text = std::string(name(one.kind)) + " " + one.address.rawBytes();
  for (const UntrustedText& interface : one.interfaces) text += " (" + interface.rawBytes() + ")";
  return text;
}

CheckRow neighboursOf(const LinkReading& link, const HostReading& before, const HostReading& after) {
  CheckRow row{CheckId::busNeighbours, CheckLayer::physical, CheckStatus::unknown, link.name};
  if (!link.neighbours) return unknown(row, link.neighbours.error());
  row.status = CheckStatus::pass;
  if (link.bus) row.busRate = busRateOf(link.bus->speedNowGts, link.bus->lanesNow);
  for (const BusNeighbour& one : *link.neighbours) {
    row.names.emplace_back(neighbourText(one));
    for (const UntrustedText& interface : one.interfaces) {
      const LinkReading* other = linkIn(after, interface);
      if (other == nullptr || !row.busRate || !isBusy(link, before, after) || !isBusy(*other, before, after)) continue;
      const bool isNarrow = link.speed->value() + other->speed->value() > row.busRate->value();
      if (isNarrow) row.status = CheckStatus::warn;
    }
  }
  return row;
}

}  // namespace

void addBusChecks(std::vector<CheckRow>& rows, const LinkReading& link, const HostReading& before,
                  const HostReading& after) {
  if (link.isUp && link.isPhysical) rows.push_back(neighboursOf(link, before, after));
}

}  // namespace tcpscope
