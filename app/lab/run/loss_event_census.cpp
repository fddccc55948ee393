#include "app/lab/run/loss_event_census.h"

#include <algorithm>
#include <map>
#include <set>

namespace tcpscope::lab {

namespace {

/// Drops of one event, counted by the source of the flow that they hit.
using DropsByFlow = std::map<Endpoint, std::size_t>;

std::vector<DropsByFlow> eventsOf(std::span<const PathEvent> log, Nanoseconds rtt) {
  std::vector<DropsByFlow> found;
  std::optional<Moment> last;
  for (const PathEvent& event : log) {
    if (!isDrop(event.kind)) continue;
    if (!last || event.time - *last > rtt) found.emplace_back();
    last = event.time;
    ++found.back()[event.source];
  }
  return found;
}

}  // namespace

LossEventCensus censusOf(std::span<const PathEvent> log, const LabResult& result, Nanoseconds rtt,
                         std::span<const double> packetsPerRtt, const Scenario& scenario) {
  LossEventCensus census;
  const std::vector<DropsByFlow> events = eventsOf(log, rtt);
  census.events = events.size();
  const double count = static_cast<double>(std::max<std::size_t>(events.size(), 1));
  for (std::size_t number = 0; number < scenario.traffic.size(); ++number) {
    CensusRow row;
    row.traffic = scenario.traffic[number].name;
    std::set<Endpoint> flows;
    for (const TransferRecord& transfer : result.transfers) {
      if (transfer.traffic == row.traffic) flows.insert(transfer.source);
    }
    row.flows = flows.size();
    const double perRtt = std::max(packetsPerRtt[number], 1.0);
    for (const DropsByFlow& event : events) {
      double hit = 0.0;
      double drops = 0.0;
      for (const auto& [source, dropped] : event) {
        if (flows.count(source) == 0) continue;
        hit += 1.0;
        drops += static_cast<double>(dropped);
      }
      row.flowsHitMean += hit / count;
      row.dropsMean += drops / count;
      row.expectedPaced += std::min(drops, static_cast<double>(row.flows)) / count;
      row.expectedBunched += (drops > 0.0 ? std::max(drops / perRtt, 1.0) : 0.0) / count;
      census.dropsMean += drops / count;
    }
    census.rows.push_back(std::move(row));
  }
  return census;
}

std::vector<double> dropIntervals(std::span<const PathEvent> log, Nanoseconds rtt) {
  std::vector<double> intervals;
  if (rtt <= Nanoseconds{0}) return intervals;
  std::vector<Moment> drops;
  for (const PathEvent& event : log) {
    if (isDrop(event.kind)) drops.push_back(event.time);
  }
  // Both directions write into one log.
  std::sort(drops.begin(), drops.end());
  for (std::size_t number = 1; number < drops.size(); ++number) {
    intervals.push_back(toSeconds(drops[number] - drops[number - 1]) / toSeconds(rtt));
  }
  return intervals;
}

}  // namespace tcpscope::lab
