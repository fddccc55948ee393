#include "core/host/path_checks.h"

#include <algorithm>

namespace tcpscope {

/// Routers answer late when they have something better to do: a step counts as far as what lies behind shows it as
/// well.
std::optional<PathStep> longestStep(const std::vector<PathHop>& hops) {
  std::optional<PathStep> longest;
  std::optional<Microseconds> behind;
  for (std::size_t index = hops.size(); index-- > 0;) {
    const PathHop& hop = hops[index];
    if (!hop.rtt) continue;
    if (behind) {
      const Microseconds step = *behind - std::min(*behind, *hop.rtt);
      if (!longest || step > longest->more) longest = PathStep{index + 1, step};
    }
    behind = std::min(behind.value_or(*hop.rtt), *hop.rtt);
  }
  return longest;
}

namespace {

CheckRow hopsOf(const UntrustedText& host, const PathReading& reading) {
  CheckRow row{CheckId::hops, CheckLayer::network, CheckStatus::unknown, host};
  row.hops = reading.hops;
  row.longestStep = longestStep(reading.hops);
  row.reason = UnknownReason::notAnswered;
  if (reading.isReached) row.status = CheckStatus::pass;
  if (reading.isRefused && !reading.isReached) row.status = CheckStatus::fail;
  return row;
}

CheckRow pathMtuOf(const UntrustedText& host, const PathReading& reading) {
  CheckRow row{CheckId::pathMtu, CheckLayer::network, CheckStatus::unknown, host};
  row.reason = UnknownReason::notAnswered;
  row.mtu = reading.mtu;
  row.lowerMtu = reading.localMtu;
  row.vanishing = reading.vanishing;
  if (reading.narrowedBy) row.names = {UntrustedText(reading.narrowedBy->toString())};
  // As far as the last hop that answered: behind it may be a narrower link.
  if (reading.vanishing) {
    row.status = CheckStatus::fail;
  } else if (reading.mtu && reading.isReached) {
    row.status = CheckStatus::pass;
  }
  return row;
}

}  // namespace

void addPathChecks(std::vector<CheckRow>& rows, const UntrustedText& host, const PathReading& reading) {
  const auto isAbove = [](const CheckRow& row) { return row.layer > CheckLayer::network; };
  const auto behind = std::find_if(rows.begin(), rows.end(), isAbove);
  rows.insert(behind, {hopsOf(host, reading), pathMtuOf(host, reading)});
}

}  // namespace tcpscope
