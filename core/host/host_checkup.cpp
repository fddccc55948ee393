#include "core/host/host_checkup.h"

#include <algorithm>

#include "core/host/layer_checks.h"

namespace tcpscope {

std::vector<CheckRow> checkUp(const HostReading& before, const HostReading& after) {
  std::vector<CheckRow> rows;
  for (const LinkReading& link : after.links) {
    const auto earlier = std::find_if(before.links.begin(), before.links.end(),
                                      [&](const LinkReading& one) { return one.name == link.name; });
    if (earlier == before.links.end()) continue;
    addLinkChecks(rows, *earlier, link, after.forwards);
    addBusChecks(rows, link, before, after);
    addInterruptChecks(rows, *earlier, link, before, after);
  }
  addProcessorChecks(rows, before, after);
  addRouteChecks(rows, after);
  addTransportChecks(rows, before, after);
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
