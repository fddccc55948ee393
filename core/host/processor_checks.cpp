#include "core/host/layer_checks.h"

#include <algorithm>
#include <numeric>

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

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
  if (is < was) row.reason = UnknownReason::counterReset;
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

void addProcessorChecks(std::vector<CheckRow>& rows, const HostReading& before, const HostReading& after) {
  rows.push_back(softnetOf(CheckId::packetBacklog, before, after, &SoftnetReading::dropped, CheckStatus::fail));
  rows.push_back(softnetOf(CheckId::packetBudget, before, after, &SoftnetReading::squeezed, CheckStatus::warn));
  rows.push_back(oneProcessorOf(before, after));
}

}  // namespace tcpscope
