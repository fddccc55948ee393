#include "core/host/layer_checks.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

using CountByProcessor = std::map<std::uint32_t, std::uint64_t>;

/// What an adapter's interrupts did between the readings.
struct InterruptChange {
  CountByProcessor byProcessor;
  std::uint64_t all = 0;
  std::uint64_t busy = 0;
  /// Where the busy ones may go, as the system writes it.
  std::set<UntrustedText> affinities;
  bool counterReset = false;
};

/// By processor; nothing where a count went back. A processor that came meanwhile began at none.
std::optional<CountByProcessor> growthOf(const InterruptReading& before, const InterruptReading& after) {
  CountByProcessor growth;
  for (const auto& [processor, is] : after.byProcessor) {
    const auto was = before.byProcessor.find(processor);
    const std::uint64_t start = was == before.byProcessor.end() ? 0 : was->second;
    if (is < start) return std::nullopt;
    growth[processor] = is - start;
  }
  return growth;
}

InterruptChange changeOf(const std::vector<InterruptReading>& before, const std::vector<InterruptReading>& after,
                         double seconds) {
  // A queue that has less to do is well wherever its interrupt goes.
  constexpr double kBusyASecond = 100.0;
  InterruptChange change;
  for (const InterruptReading& is : after) {
    const auto was = std::find_if(before.begin(), before.end(),
                                  [&](const InterruptReading& one) { return one.number == is.number; });
    const auto growth = was == before.end() ? std::nullopt : growthOf(*was, is);
    change.counterReset = change.counterReset || !growth;
    if (!growth) continue;
    std::uint64_t count = 0;
    for (const auto& [processor, grown] : *growth) {
      change.byProcessor[processor] += grown;
      count += grown;
    }
    change.all += count;
    if (static_cast<double>(count) < kBusyASecond * seconds) continue;
    ++change.busy;
    if (!is.affinity.empty()) change.affinities.insert(is.affinity);
  }
  return change;
}

CheckRow interruptSpreadOf(const LinkReading& linkBefore, const LinkReading& linkAfter, const HostReading& before,
                           const HostReading& after) {
  constexpr double kNearlyAllInterrupts = 0.9;
  constexpr double kHighSoftirq = 0.5;
  CheckRow row{CheckId::interruptSpread, CheckLayer::dataLink, CheckStatus::unknown, linkAfter.name};
  if (!linkAfter.interrupts) return unknown(row, linkAfter.interrupts.error());
  if (!linkBefore.interrupts) return unknown(row, linkBefore.interrupts.error());
  const InterruptChange change =
      changeOf(*linkBefore.interrupts, *linkAfter.interrupts, toSeconds(after.at - before.at));
  if (change.counterReset) return unknown(row, UnknownReason::counterReset);
  row.count = change.busy;
  row.most = linkAfter.interrupts->size();
  row.names.assign(change.affinities.begin(), change.affinities.end());
  row.status = CheckStatus::pass;
  if (change.busy == 0) return row;
  const auto busiest = std::max_element(change.byProcessor.begin(), change.byProcessor.end(),
                                        [](const auto& left, const auto& right) { return left.second < right.second; });
  row.processor = busiest->first;
  row.ratio = static_cast<double>(busiest->second) / static_cast<double>(change.all);
  row.timeRatio = softirqRatio(busiest->first, before.processorTimes, after.processorTimes);
  const bool isOnOne = change.busy > 1 && change.byProcessor.size() > 1 && *row.ratio > kNearlyAllInterrupts;
  if (isOnOne && !row.timeRatio) return unknown(row, UnknownReason::notReported);
  if (isOnOne && *row.timeRatio >= kHighSoftirq) row.status = CheckStatus::warn;
  return row;
}

}  // namespace

void addInterruptChecks(std::vector<CheckRow>& rows, const LinkReading& linkBefore, const LinkReading& linkAfter,
                        const HostReading& before, const HostReading& after) {
  if (!linkAfter.isUp || !linkAfter.isPhysical) return;
  rows.push_back(interruptSpreadOf(linkBefore, linkAfter, before, after));
}

}  // namespace tcpscope
